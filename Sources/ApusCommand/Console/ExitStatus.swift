// SPDX-License-Identifier: MIT

/// How the command ended.
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
    case .done: "all was done"
    case .failed: "something failed; standard error says what"
    case .usage: "the command line is wrong; nothing was done"
    case .nothingToDo: "there was nothing to do"
    case .unavailable: "this machine does not have what --require asks for"
    case .interrupted: "Ctrl-C ended it; nothing is half done"
    case .terminated:
      "SIGTERM ended a job that was not finished; nothing is half done (a server ends with 0)"
    }
  }
}
