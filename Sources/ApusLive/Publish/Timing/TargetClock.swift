// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// The clock of one target: that of the stream, moved so that it begins at 0 with the first sample for this target.
struct TargetClock: Sendable {
  /// The time in the stream, in milliseconds, at which it begins.
  private var origin: Int64?

  /// Returns the sample with its times on this clock, and its decoding time in nanoseconds.
  ///
  /// - Parameter time: its decoding time in the stream, in nanoseconds.
  mutating func place(_ sample: CodedSample, _ time: Int64) throws -> (CodedSample, Int64) {
    let origin = self.origin ?? time / 1_000_000
    self.origin = origin
    guard origin > 0 else { return (sample, time) }
    var placed = try Timeline.moved(sample, by: -origin)
    let time = time - origin * 1_000_000
    // Other tracks may be behind the one that begins.
    if time < 0 { placed.decodeTime = RationalTime(0, per: 1_000_000_000) }
    return (placed, max(time, 0))
  }
}
