// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// The command, started by itself.
enum OwnProcess {
  /// Starts it with other words.
  ///
  /// - Parameters:
  ///   - descriptors: open files, each with the number that the process finds it by.
  ///   - isConfined: whether it inherits only those variables that decoding needs.
  static func start(
    _ words: [String], descriptors: [(own: Int32, its: Int32)], isConfined: Bool
  ) -> (code: Int32, process: pid_t) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (own, its) in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, own, its)
    }

    // Ctrl-C in a terminal is for this process, which tells the others.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGINT)
    unsafe sigaddset(&blocked, SIGTERM)
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe (["apus"] + words).map {
      unsafe copiedWord($0)
    }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var place = 0
    while let variable = unsafe environ[place] {
      let name = unsafe String(cString: variable).prefix { $0 != "=" }
      if !isConfined || isNeeded(variable: String(name)) {
        unsafe variables.append(variable)
      }
      place += 1
    }
    // The parent reports the signal that ended such a process; a backtrace would only hide that message.
    let quiet = unsafe copiedWord("SWIFT_BACKTRACE=enable=no")
    defer { unsafe free(quiet) }
    if Terminal.environment("SWIFT_BACKTRACE") == nil { unsafe variables.append(quiet) }
    unsafe variables.append(nil)
    var process: pid_t = 0
    let code = unsafe posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, arguments, variables)
    return (code, process)
  }

  /// Whether decoding needs a variable: the language and the time zone, the folder for temporary files, and what the loader of
  /// libraries looks for.
  private static func isNeeded(variable name: String) -> Bool {
    ["LANG", "TZ", "TMPDIR", "SWIFT_BACKTRACE"].contains(name) || name.hasPrefix("LC_")
      || name.hasPrefix("LD_")
  }

  /// Waits until a process has ended. Returns its status as the system has it.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
