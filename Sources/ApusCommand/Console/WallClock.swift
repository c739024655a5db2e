// SPDX-License-Identifier: MIT

import Glibc

/// The time of day in UTC, in the format of RFC 3339.
enum WallClock {
  /// The time of day, to the millisecond.
  static var now: String {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &clock)
    let thousandths = String(1000 + clock.tv_nsec / 1_000_000).dropFirst()
    return text(Int64(clock.tv_sec), fraction: ".\(thousandths)")
  }

  static var seconds: Int64 { Int64(time(nil)) }

  /// - Parameter seconds: since 1970.
  static func text(_ seconds: Int64, fraction: String = "") -> String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      + fraction + "Z"
  }
}
