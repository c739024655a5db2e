// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HLS
internal import ISOBMFF

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
    /// The codec of its samples; empty if it has none.
    var codec = ""
    /// Whether it is a gap without a file.
    var isGap = false
    var isDiscontinuous = false
    /// The time of day at which it begins; set for the first one after a discontinuity.
    var date: String?
    /// The parts in which it was published, as long as players may still want them.
    var parts: [SegmentedPart] = []
    /// Whether the parts contain everything that has come of it.
    var hasParts = true
    /// Key frames with which fragments begin, about one per second, and the time at which the last of them ends.
    var keyFrames: [WrittenFragment.KeyFrame] = []
    var end = RationalTime(0, per: 1)

    /// Returns the entry in place of a segment that does not come.
    static func gap(instead of: Segment, number: Int) -> Segment {
      var gap = of
      gap.name = "gap-\(number).m4s"
      (gap.size, gap.samples, gap.codec, gap.isGap) = (0, 0, "", true)
      (gap.parts, gap.keyFrames) = ([], [])
      return gap
    }

    var microseconds: Int64 { duration.rounded(to: 1_000_000) ?? 0 }
  }

  /// Its folder, such as `video-1`.
  let folder: String
  /// The segments that the playlist names.
  var segments: [Segment] = []
  var mediaSequence = 0
  var discontinuitySequence = 0
  /// The incomplete segment, with the parts that exist.
  var growing: Segment?
  /// The name of the part that comes next.
  var nextPart: String?
  /// The number of key frames that were removed from the playlist of key frames.
  var keyFrameSequence = 0

  init(folder: String) { self.folder = folder }

  /// Continues the track of the same folder, or else takes its numbers from the other tracks.
  ///
  /// - Parameter discontinuity: the discontinuity sequence number where there are no others.
  mutating func follow(_ lines: [LiveLine], nextSegment: Int, discontinuity: Int) {
    guard let same = lines.first(where: { $0.folder == folder }) else {
      mediaSequence = lines.first?.mediaSequence ?? nextSegment
      discontinuitySequence = lines.first?.discontinuitySequence ?? discontinuity
      keyFrameSequence = mediaSequence
      return
    }
    segments = same.segments
    (mediaSequence, discontinuitySequence) = (same.mediaSequence, same.discontinuitySequence)
    keyFrameSequence = same.keyFrameSequence
  }

  func playlist(targetDuration: Int, isEnded: Bool) -> MediaPlaylist {
    var playlist = emptyPlaylist(targetDuration: targetDuration, isEnded: isEnded)
    playlist.mediaSequence = mediaSequence
    playlist.hasIndependentSegments = isIndependent(isEnded: isEnded)
    playlist.segments = segments.map(\.listed)
    return playlist
  }

  /// Returns whether a playlist can declare that no segment depends on another. Later groups of pictures may be open,
  /// and players keep relying on a declaration once read: for video it is made only when nothing more comes.
  func isIndependent(isEnded: Bool) -> Bool {
    (isEnded || !hasKeyFrames) && segments.allSatisfy(\.isIndependent)
  }

  func emptyPlaylist(targetDuration: Int, isEnded: Bool) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.targetDuration = targetDuration
    playlist.discontinuitySequence = discontinuitySequence
    playlist.isEnded = isEnded
    // It does not change any more.
    if isEnded { playlist.kind = .vod }
    return playlist
  }

  /// The codecs of its segments.
  var codecs: [String] { Set(segments.lazy.map(\.codec).filter { !$0.isEmpty }).sorted() }

  /// The rates of the data that players load, without gaps.
  private var rates: SegmentRates {
    SegmentRates(segments: segments.filter { !$0.isGap }.map { ($0.size, $0.microseconds) })
  }

  /// Returns the peak in bits per second: RFC 8216, 4.3.4.2. While segments still come, each counts alone too, because
  /// a short one may become part of a sequence that counts.
  func peak(target: Int, isEnded: Bool) -> Int {
    if isEnded { return rates.peak(target: target) }
    let highest = segments.map { SegmentRates(segments: [($0.size, $0.microseconds)]).average }
      .max()
    return max(rates.peak(target: target), highest ?? 0)
  }

  var average: Int { rates.average }
}
