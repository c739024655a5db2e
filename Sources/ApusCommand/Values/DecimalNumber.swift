// SPDX-License-Identifier: MIT

/// `23.5`.
struct DecimalNumber: ArgumentValue {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, (0...63).contains(value) else { return nil }
    self.value = value
  }

  static var expected: String { "a number from 0 to 63" }
  var argument: String { "\(value)" }
}
