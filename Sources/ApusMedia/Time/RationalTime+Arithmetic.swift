// SPDX-License-Identifier: MIT

extension RationalTime {
  /// Returns whether this time is earlier, exactly, in any units.
  public func isBefore(_ other: RationalTime) -> Bool {
    let mine = value.multipliedFullWidth(by: Int64(other.timescale))
    let others = other.value.multipliedFullWidth(by: Int64(timescale))
    return (mine.high, mine.low) < (others.high, others.low)
  }

  /// Returns whether this time is earlier than the sum of `start` and `length`; `true` if the sum overflows.
  public func isBefore(_ start: RationalTime, plus length: RationalTime) -> Bool {
    guard let passed = subtracting(start), let units = length.rounded(to: timescale) else {
      return true
    }
    return passed.value < units
  }

  /// Returns the sum in units of this time, to which the other is rounded; `nil` on overflow.
  public func adding(_ other: RationalTime) -> RationalTime? {
    guard let units = other.rounded(to: timescale),
      case (let sum, false) = value.addingReportingOverflow(units)
    else { return nil }
    return RationalTime(sum, per: timescale)
  }

  /// Returns the difference in units of this time, to which the other is rounded; `nil` on overflow.
  public func subtracting(_ other: RationalTime) -> RationalTime? {
    guard let units = other.rounded(to: timescale),
      case (let difference, false) = value.subtractingReportingOverflow(units)
    else { return nil }
    return RationalTime(difference, per: timescale)
  }

  /// The time in nanoseconds, rounded down; `nil` beyond 292 years.
  public var nanoseconds: Int64? { floored(to: 1_000_000_000) }

  /// Returns the time moved by whole milliseconds, exactly, in finer units if necessary.
  public func moved(by milliseconds: Int64) -> RationalTime? {
    if milliseconds == 0 { return self }
    var time = self
    if timescale % 1000 != 0 {
      if timescale <= UInt32.max / 1000 {
        let (value, overflow) = value.multipliedReportingOverflow(by: 1000)
        if overflow { return nil }
        time = RationalTime(value, per: timescale * 1000)
      } else {
        guard let value = nanoseconds else { return nil }
        time = RationalTime(value, per: 1_000_000_000)
      }
    }
    let (shift, overflow) = milliseconds.multipliedReportingOverflow(
      by: Int64(time.timescale / 1000))
    let (sum, beyond) = time.value.addingReportingOverflow(shift)
    return overflow || beyond ? nil : RationalTime(sum, per: time.timescale)
  }
}
