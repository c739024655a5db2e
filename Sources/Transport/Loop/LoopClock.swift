// SPDX-License-Identifier: MIT

internal import Glibc

/// The clock of an event loop, in nanoseconds that only rise.
package struct LoopClock: Sendable {
  private let read: @Sendable () -> Int64

  package init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

  package var now: Int64 { read() }

  package static let system = LoopClock {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
