// SPDX-License-Identifier: MIT

internal import ApusThreads
internal import Glibc

/// The clock that decides whether an input has stalled, as a value that a test can set.
struct InputClock: Sendable {
  /// Returns monotonic time in nanoseconds.
  var now: @Sendable () -> Int64
  /// Returns the next entry of a queue, or `nil` at the given time.
  var next: @Sendable (InputQueue, _ time: Int64) -> InputEntry?
  /// Waits for so many nanoseconds.
  var sleep: @Sendable (_ time: Int64) -> Void = { usleep(UInt32(clamping: $0 / 1000)) }

  static let system = InputClock(now: { MonotonicTime.now }, next: { $0.next(until: $1) })
}
