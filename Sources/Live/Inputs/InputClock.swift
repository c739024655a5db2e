// SPDX-License-Identifier: MIT

internal import Threads

/// The time by which an input is judged to have stalled, as a value that a test can set.
struct InputClock: Sendable {
  /// Nanoseconds that only rise.
  var now: @Sendable () -> Int64
  /// Returns the next entry of a queue, or `nil` once a time has come.
  var next: @Sendable (InputQueue, _ time: Int64) -> InputQueue.Entry?

  static let system = InputClock(now: { MonotonicTime.now }, next: { $0.next(until: $1) })
}
