// SPDX-License-Identifier: MIT

internal import Media

extension RationalTime {
  /// As nanoseconds, rounded down; `nil` beyond 292 years.
  var nanoseconds: Int64? { floored(to: 1_000_000_000) }

  /// Moved by whole milliseconds, exactly: in finer units where its own hold no milliseconds.
  func moved(by milliseconds: Int64) -> RationalTime? {
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
