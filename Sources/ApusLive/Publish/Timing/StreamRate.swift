// SPDX-License-Identifier: MIT

/// The number of bytes per second of a stream, by its own clock.
struct StreamRate: Hashable {
  /// The rate; `nil` in the first second.
  private(set) var bytesPerSecond: Int?
  private var start: Int64?
  private var bytes = 0

  mutating func add(_ count: Int, at time: Int64) {
    guard let start else {
      (self.start, bytes) = (time, count)
      return
    }
    bytes += count
    guard time - start >= 1_000_000_000 else { return }
    bytesPerSecond = Int(Double(bytes) * 1e9 / Double(time - start))
    (self.start, bytes) = (time, 0)
  }
}
