// SPDX-License-Identifier: MIT

import ApusBytes

/// A type whose values a person types.
protocol ArgumentValue {
  init?(argument: String)
  /// A description of valid values: `a whole number`.
  static var expected: String { get }
  /// All valid values, if they are a short list.
  static var choices: [String] { get }
  /// The value as it would be typed.
  var argument: String { get }
}

extension ArgumentValue {
  static var choices: [String] { [] }
}

/// Thrown for an invalid value, with a description of valid ones.
struct Expectation: Error {
  var expected: String
}

extension String: ArgumentValue {
  init?(argument: String) { self = argument }
  static var expected: String { "text" }
  var argument: String { self }
}

/// Decimal, or hexadecimal after `0x`.
extension Int: ArgumentValue {
  init?(argument: String) {
    guard let number = Self.number(argument) else { return nil }
    self = number
  }

  private static func number(_ text: String) -> Int? {
    text.hasPrefix("0x") ? Int(hexadecimal: text.dropFirst(2)) : Int(text)
  }

  static var expected: String { "a whole number" }
  var argument: String { String(self) }
}

/// Decimal, or hexadecimal after `0x`.
extension UInt: ArgumentValue {
  init?(argument: String) {
    guard let number = Int(argument: argument), number >= 0 else { return nil }
    self = UInt(number)
  }

  static var expected: String { "a whole number, 0 or more" }
  var argument: String { String(self) }
}

/// A closed set, typed by its names.
extension ArgumentValue where Self: RawRepresentable<String>, Self: CaseIterable {
  init?(argument: String) { self.init(rawValue: argument) }
  static var choices: [String] { allCases.map(\.rawValue) }
  static var expected: String { "one of \(choices.joined(separator: ", "))" }
  var argument: String { rawValue }
}
