// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HLS
internal import ISOBMFF

/// The key frames of a live track, for fast forward and rewind: RFC 8216, 4.3.3.6.
extension LiveLine {
  var hasKeyFrames: Bool { segments.contains { !$0.keyFrames.isEmpty } }

  /// Returns a playlist of all key frames, each lasting until the next one, as a range of its segment from the `moof`
  /// to its last byte.
  func keyFramePlaylist(targetDuration: Int, isEnded: Bool) -> MediaPlaylist {
    var playlist = emptyPlaylist(targetDuration: targetDuration, isEnded: isEnded)
    playlist.isKeyFramesOnly = true
    playlist.mediaSequence = keyFrameSequence
    var isDiscontinuous = false
    for segment in segments {
      isDiscontinuous = isDiscontinuous || segment.isDiscontinuous
      for (index, frame) in segment.keyFrames.enumerated() {
        var listed = MediaPlaylist.Segment(
          segment.name, duration: RationalTime(segment.duration(ofKeyFrame: index), per: 1_000_000))
        listed.header = MediaPlaylist.Header(segment.header)
        listed.range = PlaylistByteRange(count: frame.size, start: frame.offset)
        listed.isDiscontinuous = isDiscontinuous
        if index == 0 { listed.date = segment.date }
        isDiscontinuous = false
        playlist.segments.append(listed)
      }
    }
    return playlist
  }

  /// The rates of the key frames only.
  var keyFrameRates: SegmentRates {
    SegmentRates(
      segments: segments.flatMap { segment in
        segment.keyFrames.enumerated().map { ($1.size, segment.duration(ofKeyFrame: $0)) }
      })
  }
}

extension LiveLine.Segment {
  /// Returns the key frames to be shown during fast forward and rewind: the first, and those that are a second from
  /// each other and from the end. There are never more of them than seconds, so that their numbers do not decrease when
  /// the program is restarted.
  static func wound(_ frames: [WrittenFragment.KeyFrame], until end: RationalTime)
    -> [WrittenFragment.KeyFrame]
  {
    var result: [WrittenFragment.KeyFrame] = []
    var last: Int64 = 0
    let end = end.rounded(to: 1_000_000) ?? 0
    for frame in frames {
      let start = frame.start.rounded(to: 1_000_000) ?? 0
      guard result.isEmpty || (start - last >= leastDistance && end - start >= leastDistance) else {
        continue
      }
      result.append(frame)
      last = start
    }
    return result
  }

  /// A second, in microseconds, less what is lost by rounding times to milliseconds.
  private static var leastDistance: Int64 { 990_000 }

  /// Returns the time from a key frame to the next one, in microseconds.
  fileprivate func duration(ofKeyFrame index: Int) -> Int64 {
    let next = index + 1 < keyFrames.count ? keyFrames[index + 1].start : end
    let start = keyFrames[index].start.rounded(to: 1_000_000) ?? 0
    return max(1, (next.rounded(to: 1_000_000) ?? start) - start)
  }
}
