// SPDX-License-Identifier: MIT

/// A point in time as seconds since the start of 1904, UTC (ISO/IEC 14496-12, 8.2.2.3).
public struct Date1904: Hashable, Sendable, CustomStringConvertible {
  /// The seconds since the start of 1904, UTC.
  public var seconds: UInt64
  public init(seconds: UInt64) { self.seconds = seconds }

  /// The time in the form `2026-11-21T02:18:55Z`, or the number of seconds if it is beyond the calendar.
  public var description: String {
    guard seconds > 0, seconds < 1 << 38 else { return String(seconds) }
    let (year, month, day) = Self.civil(days: Int(seconds / 86400))
    let time = Int(seconds % 86400)
    let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.twoDigits).joined(separator: ":")
    return "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))T\(clock)Z"
  }

  /// Returns the Gregorian date a number of days after 1904-01-01.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    var left = days
    var year = 1904
    while left >= length(of: year) {
      left -= length(of: year)
      year += 1
    }
    var month = 1
    for length in [31, length(of: year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
      if left < length { break }
      left -= length
      month += 1
    }
    return (year, month, left + 1)
  }

  private static func length(of year: Int) -> Int {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
