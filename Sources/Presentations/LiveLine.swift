// SPDX-License-Identifier: MIT

internal import HLS
internal import ISOBMFF
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
    /// What is in it; empty where nothing is.
    var codec = ""
    /// Whether nothing is there.
    var isGap = false
    var isDiscontinuous = false
    /// The time of day at which it begins, of the first after a discontinuity.
    var date: String?
    /// The parts that it was published as, as far as players may still want them.
    var parts: [SegmentedPart] = []
    /// Whether those are all that is in it, as far as it has come.
    var hasParts = true
    /// Key frames with which fragments begin, about one a second, and when the last of them is over.
    var keyFrames: [WrittenFragment.KeyFrame] = []
    var end = RationalTime(0, per: 1)

    /// What a playlist names in the place of a segment that does not come.
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
  /// The segment that is not whole yet, as far as its parts are there.
  var growing: Segment?
  /// The name of the part that comes next.
  var nextPart: String?
  /// How many key frames have left the playlist of them.
  var keyFrameSequence = 0

  init(folder: String) { self.folder = folder }

  /// Goes on where the track of its folder has come to, or else where others have.
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

  /// Whether a playlist can say that no segment needs another. Groups of pictures may be open later on, and a player that
  /// has read the promise keeps to it: of video it is made only once nothing more comes.
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

  /// What its segments hold.
  var codecs: [String] { Set(segments.lazy.map(\.codec).filter { !$0.isEmpty }).sorted() }

  /// The rates of what players load, which a gap is no part of.
  private var rates: SegmentRates {
    SegmentRates(segments: segments.filter { !$0.isGap }.map { ($0.size, $0.microseconds) })
  }

  /// Bits a second: RFC 8216, 4.3.4.2. As long as segments come a short one may be part of a run that counts.
  func peak(target: Int, isEnded: Bool) -> Int {
    if isEnded { return rates.peak(target: target) }
    let highest = segments.map { SegmentRates(segments: [($0.size, $0.microseconds)]).average }
      .max()
    return max(rates.peak(target: target), highest ?? 0)
  }

  var average: Int { rates.average }
}
