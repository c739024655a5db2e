// SPDX-License-Identifier: MIT

/// The exit status of the command.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case usage = 2
  case nothingToDo = 3
  case unavailable = 4
  case interrupted = 130
  case terminated = 143

  /// The statuses of a verb.
  ///
  /// - Parameter options: the long names of its options.
  static func possible(with options: [String]) -> [ExitStatus] {
    allCases.filter { $0 != .unavailable || options.contains("require") }
  }

  var meaning: String {
    switch self {
    case .done: "success"
    case .failed: "something failed; see the messages on standard error"
    case .usage: "invalid command line; nothing was done"
    case .nothingToDo: "nothing to do"
    case .unavailable: "something required by --require is not available"
    case .interrupted: "interrupted by Ctrl-C; no incomplete files are left"
    case .terminated:
      "terminated by SIGTERM; no incomplete files are left (servers exit with 0)"
    }
  }
}
