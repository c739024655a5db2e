// SPDX-License-Identifier: MIT

/// Bit rates of segments in bits per second: RFC 8216, 4.1.
struct SegmentRates: Sendable {
  /// The sizes of segments in bytes, and their durations in microseconds.
  var segments: [(size: Int, duration: Int64)] = []

  /// The rate of all segments together.
  var average: Int { Self.rate(segments.reduce(0) { $0 + $1.size }, total) }

  private var total: Int64 { segments.reduce(0) { $0 + $1.duration } }

  /// Returns the highest rate of any sequence of segments that lasts between half and one and a half target durations.
  ///
  /// - Parameter target: the target duration in seconds.
  func peak(target: Int) -> Int {
    let range = Int64(target) * 500_000...Int64(target) * 1_500_000
    var result = 0
    for first in segments.indices {
      var size = 0
      var duration: Int64 = 0
      for segment in segments[first...] {
        size += segment.size
        duration += segment.duration
        guard duration <= range.upperBound else { break }
        if range.contains(duration) { result = max(result, Self.rate(size, duration)) }
      }
    }
    return max(result, average)
  }

  private static func rate(_ size: Int, _ duration: Int64) -> Int {
    Int((Double(size) * 8_000_000 / Double(max(duration, 1))).rounded(.up))
  }
}
