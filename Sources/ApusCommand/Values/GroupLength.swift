// SPDX-License-Identifier: MIT

/// `250` pictures, or `2s`.
enum GroupLength: ArgumentValue {
  case pictures(Int)
  case milliseconds(Int64)

  init?(argument: String) {
    if argument.last == "s" {
      guard let seconds = Double(argument.dropLast()), (0.001...3600).contains(seconds) else {
        return nil
      }
      self = .milliseconds(Int64((seconds * 1000).rounded()))
    } else {
      guard let count = Int(argument), (0...1_000_000).contains(count) else { return nil }
      self = .pictures(count)
    }
  }

  static var expected: String { "a number of pictures such as 250, or seconds such as 2s" }
  var argument: String {
    switch self {
    case .pictures(let count): "\(count)"
    case .milliseconds(let length): "\(Double(length) / 1000)s"
    }
  }
}
