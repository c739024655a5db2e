// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Decimal fractions in the notation of playlists: RFC 8216, 4.2.
enum PlaylistDecimal {
  /// Parses a number such as `9.009`; digits beyond the ninth are dropped, because 10^9 is the highest power of ten
  /// that a timescale holds.
  static func read(_ text: some StringProtocol) -> RationalTime? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ Int64(digits: $0) }) else { return nil }
    guard parts.count == 2, !parts[1].isEmpty else { return RationalTime(whole, per: 1) }
    guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    var value = whole
    var timescale: UInt32 = 1
    for digit in parts[1].utf8.prefix(9) {
      let (product, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, beyond) = product.addingReportingOverflow(Int64(digit - 0x30))
      guard !over, !beyond else { return nil }
      value = sum
      timescale *= 10
    }
    return RationalTime(value, per: timescale)
  }

  /// Formats a time, with all digits if the timescale is a power of ten, and otherwise to microseconds.
  static func text(_ time: RationalTime) -> String {
    var digits = 0
    var power: UInt32 = 1
    while digits < 9, power < time.timescale {
      power *= 10
      digits += 1
    }
    guard power == time.timescale, time.value >= 0 else {
      return text(.init(max(0, time.rounded(to: 1_000_000) ?? 0), per: 1_000_000))
    }
    let divisor = Int64(power)
    guard digits > 0 else { return "\(time.value)" }
    let fraction = String(time.value % divisor)
    return "\(time.value / divisor)."
      + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
  }
}

extension Int64 {
  fileprivate init?(digits text: some StringProtocol) {
    guard let number = Int(digits: text) else { return nil }
    self.init(number)
  }
}
