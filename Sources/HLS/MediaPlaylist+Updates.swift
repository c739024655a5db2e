// SPDX-License-Identifier: MIT

internal import Media

/// Playlists that leave out what their readers have from before: RFC 8216bis, 6.2.5.1.
extension MediaPlaylist {
  /// The least distance from the end, in target durations, of segments that an update may leave out: RFC 8216bis, 4.4.3.8.
  public static let leastSkipBoundary = 6

  /// So many target durations in microseconds, at most what 64 bits hold.
  public func targetMicroseconds(times count: Int) -> Int64 {
    let (product, overflow) = Int64(targetDuration)
      .multipliedReportingOverflow(by: Int64(count) * 1_000_000)
    return overflow ? .max : product
  }

  /// How long the segments and parts are that it has, in microseconds.
  public var microseconds: Int64 {
    let durations = segments.map(\.duration) + (growing?.parts ?? []).map(\.duration)
    return durations.reduce(0) { total, duration in
      let (sum, overflow) = total.addingReportingOverflow(duration.rounded(to: 1_000_000) ?? 0)
      return overflow ? .max : sum
    }
  }

  /// The playlist without the segments that are farther from its end than `skipBoundary`; the same where there are none.
  ///
  /// - Precondition: it leaves out nothing yet, and has no key frames alone, whose numbers are others.
  public var update: MediaPlaylist {
    guard let boundary = skipBoundary?.rounded(to: 1_000_000), skippedSegments == 0, !isEnded else {
      return self
    }
    var kept: Int64 = 0
    var count = segments.count
    // Parts of the segment that is not whole are not counted, so that rather too much is there.
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

  /// The playlist that this one is an update of a previous one to; `nil` where that does not have the segments that are left out.
  public func joined(with previous: MediaPlaylist) -> MediaPlaylist? {
    guard skippedSegments > 0 else { return self }
    let first = mediaSequence - previous.mediaSequence
    guard previous.skippedSegments == 0, first >= 0,
      previous.segments.count - first >= skippedSegments
    else { return nil }
    var joined = self
    joined.skippedSegments = 0
    joined.segments = Array(previous.segments[first..<first + skippedSegments]) + segments
    // Parts are named only for the latest segments, which are never left out.
    for index in 0..<skippedSegments { joined.segments[index].parts = [] }
    return joined
  }
}
