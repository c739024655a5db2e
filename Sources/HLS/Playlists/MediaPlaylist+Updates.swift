// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Delta updates, which omit segments that their readers have already: RFC 8216bis, 6.2.5.1.
extension MediaPlaylist {
  /// The least distance from the end, in target durations, of segments that an update may omit: RFC 8216bis, 4.4.3.8.
  public static let leastSkipBoundary = 6

  /// Returns a number of target durations in microseconds, limited to 64 bits.
  public func targetMicroseconds(times count: Int) -> Int64 {
    let (product, overflow) = Int64(targetDuration)
      .multipliedReportingOverflow(by: Int64(count) * 1_000_000)
    return overflow ? .max : product
  }

  /// The total duration of its segments and parts, in microseconds.
  public var microseconds: Int64 {
    let durations = segments.map(\.duration) + (growing?.parts ?? []).map(\.duration)
    return durations.reduce(0) { total, duration in
      let (sum, overflow) = total.addingReportingOverflow(duration.rounded(to: 1_000_000) ?? 0)
      return overflow ? .max : sum
    }
  }

  /// The playlist without the segments that are farther from its end than `skipBoundary`; unchanged if there are none.
  ///
  /// - Precondition: it is not an update yet, and not a playlist of key frames, whose numbers differ.
  public var update: MediaPlaylist {
    guard let boundary = skipBoundary?.rounded(to: 1_000_000), skippedSegments == 0, !isEnded else {
      return self
    }
    var kept: Int64 = 0
    var count = segments.count
    // Parts of the incomplete segment are not counted; so too much is kept rather than too little.
    while count > 0, kept < boundary {
      count -= 1
      let duration = max(segments[count].duration.rounded(to: 1_000_000) ?? 0, 0)
      let (sum, overflow) = kept.addingReportingOverflow(duration)
      kept = overflow ? .max : sum
    }
    guard count > 0, kept >= boundary else { return self }
    var update = self
    update.skippedSegments = count
    update.segments.removeFirst(count)
    return update
  }

  /// Returns the whole playlist, given the previous one of which this is an update; `nil` if that does not have the
  /// omitted segments.
  public func joined(with previous: MediaPlaylist) -> MediaPlaylist? {
    guard skippedSegments > 0 else { return self }
    let first = mediaSequence - previous.mediaSequence
    guard previous.skippedSegments == 0, first >= 0,
      previous.segments.count - first >= skippedSegments
    else { return nil }
    var joined = self
    joined.skippedSegments = 0
    joined.segments = Array(previous.segments[first..<first + skippedSegments]) + segments
    // Parts are named only for the latest segments, which are never omitted.
    for index in 0..<skippedSegments { joined.segments[index].parts = [] }
    return joined
  }
}
