// SPDX-License-Identifier: MIT

/// `250` pictures, or `2s`.
enum GroupLength: ArgumentValue {
  case pictures(Int)
  case milliseconds(Int64)

  init?(argument: String) {
    if let count = Int(argument) {
      guard (0...1_000_000).contains(count) else { return nil }
      self = .pictures(count)
    } else {
      guard argument.last?.isLetter == true, let time = MediaTime(argument: argument),
        (1...3_600_000).contains(time.milliseconds)
      else { return nil }
      self = .milliseconds(time.milliseconds)
    }
  }

  static var expected: String { "a number of pictures such as 250, or a time such as 2s" }
  var argument: String {
    switch self {
    case .pictures(let count): "\(count)"
    case .milliseconds(let length): "\(Double(length) / 1000)s"
    }
  }
}
