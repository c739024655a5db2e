// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// A program of the user's that is run when something is done. No shell is between: a name that holds spaces or
/// quotation marks stays one word.
struct OtherProgram: Sendable {
  let path: String

  /// Runs it and waits for its end. What it prints goes to standard error, and it gets no input.
  ///
  /// - Parameters:
  ///   - environment: what it finds there beside that of this process.
  ///   - limit: how long it may take before it is ended.
  /// - Returns: what went wrong; `nil` where it ended with 0.
  func run(
    _ words: [String], environment: [(name: String, value: String)] = [],
    within limit: Duration? = nil
  ) -> String? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // Signals that this process waits for are its own business.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + words).map {
      unsafe copiedWord($0)
    }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    guard let name = unsafe arguments[0] else { return "\(FileError("start", path, code: ENOMEM))" }
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map {
      unsafe copiedWord("\($0.name)=\($0.value)")
    }
    let own = environment.count
    var place = 0
    while let variable = unsafe environ[place] {
      unsafe variables.append(variable)
      place += 1
    }
    unsafe variables.append(nil)
    defer { for index in 0..<own { unsafe free(variables[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, name, &actions, &attributes, arguments, variables)
    guard code == 0 else { return "\(FileError("start", path, code: code))" }
    guard let status = Self.wait(for: process, limit) else {
      return "\(path) was ended, for it took more than \(limit ?? .zero)"
    }
    return status == 0 ? nil : "\(path) \(ProcessEnding(status: status).text)"
  }

  /// Returns the status as the system has it; `nil` where the process was ended.
  private static func wait(for process: pid_t, _ limit: Duration?) -> Int32? {
    guard let limit else { return OwnProcess.wait(for: process) }
    let end = SuspendingClock.now + limit
    var status: Int32 = 0
    while unsafe waitpid(process, &status, WNOHANG) == 0 {
      guard SuspendingClock.now < end else {
        kill(process, SIGKILL)
        _ = OwnProcess.wait(for: process)
        return nil
      }
      usleep(5000)
    }
    return status
  }
}
