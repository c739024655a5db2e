// SPDX-License-Identifier: MIT

import Files
import Glibc

/// A program of somebody else's that is run when something is done. No shell is between: a name that holds spaces or
/// quotation marks stays one word.
struct OtherProgram: Sendable {
  let path: String

  /// Runs it and waits for its end. What it prints goes to standard error, and it gets no input.
  ///
  /// - Returns: what went wrong; `nil` where it ended with 0.
  func run(_ words: [String]) -> String? {
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
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, name, &actions, &attributes, arguments, environ)
    guard code == 0 else { return "\(FileError("start", path, code: code))" }
    let status = OwnProcess.wait(for: process)
    return status == 0 ? nil : "\(path) \(ProcessEnding(status: status).text)"
  }
}
