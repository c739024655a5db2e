// SPDX-License-Identifier: MIT

/// A point in time or a duration, in units of a fraction of a second.
public struct RationalTime: Hashable, Sendable, Codable {
  /// The number of units.
  public var value: Int64
  /// The number of units in a second.
  public var timescale: UInt32

  public init(_ value: Int64, per timescale: UInt32) {
    self.value = value
    self.timescale = timescale
  }

  /// Returns a time in milliseconds.
  public static func milliseconds(_ value: Int64) -> RationalTime {
    RationalTime(value, per: 1000)
  }

  /// Returns the time in other units, rounded to the nearest, halves up; `nil` on overflow.
  public func rounded(to other: UInt32) -> Int64? { scaled(to: other, plusHalf: true) }

  /// Returns the time in other units, rounded down.
  public func floored(to other: UInt32) -> Int64? { scaled(to: other, plusHalf: false) }

  private func scaled(to other: UInt32, plusHalf: Bool) -> Int64? {
    guard timescale > 0 else { return nil }
    let divisor = Int64(timescale)
    var product = value.multipliedFullWidth(by: Int64(other))
    if plusHalf {
      let (low, carry) = product.low.addingReportingOverflow(UInt64(timescale / 2))
      product = (product.high + (carry ? 1 : 0), low)
    }
    // With a divisor smaller than this, the quotient would exceed 64 bits.
    guard product.high.magnitude < UInt64(divisor) / 2 else {
      return product.high == 0 || product.high == -1 ? small(product, by: divisor) : nil
    }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Returns the quotient of a product that fits into 64 bits.
  private func small(_ product: (high: Int64, low: UInt64), by divisor: Int64) -> Int64? {
    let value = Int64(truncatingIfNeeded: product.low)
    guard (value < 0) == (product.high < 0) else { return nil }
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
