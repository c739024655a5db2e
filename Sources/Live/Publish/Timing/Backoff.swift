// SPDX-License-Identifier: MIT

/// How long to wait before the next attempt: 1, 2, 4 … 30 s, half of it by chance, so that the publishers of a
/// server that was started again do not all come at once.
public struct Backoff: Sendable {
  /// Attempts in a row that failed.
  public private(set) var failures = 0
  private var random: any RandomNumberGenerator & Sendable

  static let longest: Int64 = 30_000_000_000

  public init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
    self.random = random
  }

  /// An attempt failed. Answers with nanoseconds to wait.
  public mutating func fail() -> Int64 {
    let whole = min(Self.longest, 1_000_000_000 << Int64(min(failures, 5)))
    failures += 1
    return whole / 2 + Int64.random(in: 0...whole / 2, using: &random)
  }

  public mutating func reset() { failures = 0 }
}
