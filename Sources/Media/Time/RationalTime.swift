// SPDX-License-Identifier: MIT

/// A moment or a length in units of a fraction of a second.
public struct RationalTime: Hashable, Sendable {
  public var value: Int64
  /// Units in a second.
  public var timescale: UInt32

  public init(_ value: Int64, per timescale: UInt32) {
    self.value = value
    self.timescale = timescale
  }

  public static func milliseconds(_ value: Int64) -> RationalTime {
    RationalTime(value, per: 1000)
  }

  /// In units of another fraction, rounded to the nearest, halves up; `nil` where no number fits.
  public func rounded(to other: UInt32) -> Int64? { scaled(to: other, plusHalf: true) }

  /// The same rounded down.
  public func floored(to other: UInt32) -> Int64? { scaled(to: other, plusHalf: false) }

  private func scaled(to other: UInt32, plusHalf: Bool) -> Int64? {
    guard timescale > 0 else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: Int64(other))
    guard !overflow else { return nil }
    let half = plusHalf ? Int64(timescale) / 2 : 0
    let (sum, beyond) = product.addingReportingOverflow(half)
    guard !beyond else { return nil }
    let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int64(timescale))
    return remainder < 0 ? quotient - 1 : quotient
  }
}
