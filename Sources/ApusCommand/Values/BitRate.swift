// SPDX-License-Identifier: MIT

/// `2500k`, `8M`, or bits.
struct BitRate: ArgumentValue {
  let value: Int

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? argument[...] : argument.dropLast()) else { return nil }
    let bits = number * (unit ?? 1)
    guard bits.isFinite, bits >= 1000, bits <= 2e9 else { return nil }
    value = Int(bits.rounded())
  }

  static var expected: String { "a bit rate of 1000 bit/s or more, such as 2500k or 8M" }
  var argument: String { "\(value)" }
}
