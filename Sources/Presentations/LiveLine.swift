// SPDX-License-Identifier: MIT

internal import HLS
internal import Media

/// The playlist of one track of a live presentation.
struct LiveLine {
  struct Segment {
    var name: String
    /// The name of the header that it needs.
    var header: String
    var duration: RationalTime
    var size: Int
    var samples: Int
    var isIndependent: Bool
    /// Whether nothing is there.
    var isGap = false
    var isDiscontinuous = false
    /// The time of day at which it begins, of the first after a discontinuity.
    var date: String?

    /// What a playlist names in the place of a segment that does not come.
    static func gap(instead of: Segment, number: Int) -> Segment {
      var gap = of
      gap.name = "gap-\(number).m4s"
      (gap.size, gap.samples, gap.isGap) = (0, 0, true)
      return gap
    }

    var microseconds: Int64 { duration.rounded(to: 1_000_000) ?? 0 }
  }

  /// Its folder, such as `video-1`.
  let folder: String
  /// Those that the playlist names.
  var segments: [Segment] = []
  var mediaSequence = 0
  var discontinuitySequence = 0

  init(folder: String) { self.folder = folder }

  func playlist(targetDuration: Int, isEnded: Bool) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.targetDuration = targetDuration
    playlist.mediaSequence = mediaSequence
    playlist.discontinuitySequence = discontinuitySequence
    playlist.hasIndependentSegments = segments.allSatisfy(\.isIndependent)
    playlist.isEnded = isEnded
    // It does not change any more.
    if isEnded { playlist.kind = .vod }
    playlist.segments = segments.map { one in
      var segment = MediaPlaylist.Segment(one.name, duration: one.duration)
      segment.header = MediaPlaylist.Header(one.header)
      segment.isDiscontinuous = one.isDiscontinuous
      segment.date = one.date
      segment.isGap = one.isGap
      return segment
    }
    return playlist
  }

  private var rates: SegmentRates {
    SegmentRates(segments: segments.map { ($0.size, $0.microseconds) })
  }

  /// Bits a second: RFC 8216, 4.3.4.2.
  func peak(target: Int) -> Int {
    let highest = segments.map { SegmentRates(segments: [($0.size, $0.microseconds)]).average }
      .max()
    return max(rates.peak(target: target), highest ?? 0)
  }

  var average: Int { rates.average }
}
