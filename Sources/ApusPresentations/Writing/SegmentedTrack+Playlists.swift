// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// The results of a rendition, and its playlists.
extension SegmentedTrack {
  /// The duration of each segment: until the next one is shown.
  var durations: [RationalTime] {
    segments.indices.map { index in
      let end = index + 1 < segments.count ? segments[index + 1].start : segments[index].end
      let start = segments[index].start
      let value = (end.rounded(to: 1_000_000) ?? 0) - (start.rounded(to: 1_000_000) ?? 0)
      return RationalTime(max(0, value), per: 1_000_000)
    }
  }

  var rates: SegmentRates {
    SegmentRates(segments: zip(segments, durations).map { ($0.size, $1.value) })
  }

  /// Whether each segment can be decoded without the preceding ones. Leading pictures of an open group refer to the
  /// previous group, and a player that begins with the segment cannot show them, whereas RFC 8216bis, 4.4.2.1 requires
  /// it for all samples.
  var isIndependent: Bool { segments.allSatisfy { $0.startsWithSync && !$0.startsWithLeading } }

  /// The key frames with which fragments begin: the segment of each, and the time until the next one.
  private var winding: [(segment: Int, frame: WrittenFragment.KeyFrame, duration: RationalTime)] {
    let frames = segments.enumerated().flatMap { index, segment in
      segment.keyFrames.map { (index, $0) }
    }
    let end = segments.reduce(RationalTime(0, per: 1)) { $0.isBefore($1.end) ? $1.end : $0 }
    return frames.indices.map { index in
      let next = index + 1 < frames.count ? frames[index + 1].1.start : end
      let start = frames[index].1.start.rounded(to: 1_000_000) ?? 0
      let duration = max(0, (next.rounded(to: 1_000_000) ?? 0) - start)
      return (frames[index].0, frames[index].1, RationalTime(duration, per: 1_000_000))
    }
  }

  /// The rates of the key frames only, and their target duration.
  var windingRates: (rates: SegmentRates, targetDuration: Int) {
    let winding = winding
    return (
      SegmentRates(segments: winding.map { ($0.frame.size, $0.duration.value) }),
      MediaPlaylist.targetDuration(of: winding.map(\.duration))
    )
  }

  /// Returns the playlist of key frames, for fast forward and rewind: RFC 8216, 4.3.3.6. Each is a range from the
  /// `moof` of its fragment to the last byte of the picture.
  func keyFramePlaylist() -> MediaPlaylist {
    var playlist = emptyPlaylist
    let winding = winding
    playlist.targetDuration = MediaPlaylist.targetDuration(of: winding.map(\.duration))
    playlist.isKeyFramesOnly = true
    let isRange = options.form == .ranges
    var starts: [Int] = []
    var position = mediaStart
    for segment in segments {
      starts.append(isRange ? position : 0)
      position += segment.size
    }
    for (index, frame, duration) in winding {
      var segment = MediaPlaylist.Segment(
        isRange ? headerName : segmentName(index), duration: duration)
      segment.header = map
      segment.range = PlaylistByteRange(count: frame.size, start: starts[index] + frame.offset)
      playlist.segments.append(segment)
    }
    return playlist
  }

  private var emptyPlaylist: MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.kind = .vod
    playlist.isEnded = true
    return playlist
  }

  private var map: MediaPlaylist.Header {
    var map = MediaPlaylist.Header(headerName)
    if options.form == .ranges { map.range = PlaylistByteRange(count: header.count, start: 0) }
    return map
  }

  func playlist(targetDuration: Int) -> MediaPlaylist {
    var playlist = emptyPlaylist
    playlist.targetDuration = targetDuration
    playlist.hasIndependentSegments = isIndependent
    let map = map
    var position = mediaStart
    for (index, duration) in durations.enumerated() {
      let isRange = options.form == .ranges
      var segment = MediaPlaylist.Segment(
        isRange ? headerName : segmentName(index), duration: duration)
      segment.header = map
      if isRange { segment.range = PlaylistByteRange(count: segments[index].size, start: position) }
      position += segments[index].size
      playlist.segments.append(segment)
    }
    return playlist
  }
}
