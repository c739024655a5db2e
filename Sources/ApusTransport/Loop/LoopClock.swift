// SPDX-License-Identifier: MIT

internal import ApusThreads

/// The monotonic clock of an event loop, in nanoseconds.
package struct LoopClock: Sendable {
  private let read: @Sendable () -> Int64

  package init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

  package var now: Int64 { read() }

  package static let system = LoopClock { MonotonicTime.now }
}
