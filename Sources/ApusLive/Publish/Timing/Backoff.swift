// SPDX-License-Identifier: MIT

/// The waiting times before further attempts: 1, 2, 4 … 30 s, half of it random, so that the publishers of a restarted
/// server do not all reconnect at once.
package struct Backoff: Sendable {
  /// The number of consecutive failures.
  package private(set) var failures = 0
  private var random: any RandomNumberGenerator & Sendable

  static let longest: Int64 = 30_000_000_000

  package init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
    self.random = random
  }

  /// Records a failure and returns the nanoseconds to wait.
  package mutating func fail() -> Int64 {
    let whole = min(Self.longest, 1_000_000_000 << Int64(min(failures, 5)))
    failures += 1
    return whole / 2 + Int64.random(in: 0...whole / 2, using: &random)
  }

  package mutating func reset() { failures = 0 }
}
