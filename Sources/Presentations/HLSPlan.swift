// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import Flow
internal import ISOBMFF
internal import Media

/// Which tracks of the inputs become renditions, and where their segments begin.
struct HLSPlan: Sendable {
  struct Rendition: Sendable {
    /// The numbers of its input, and of its track there.
    var input: Int
    var track: Int
    var coded: CodedTrack
    var survey: TrackSurvey
    /// The time of its input at which the presentation begins.
    var origin = RationalTime.milliseconds(0)
    /// The times at which all segments but the first begin, in microseconds of the presentation.
    var boundaries: [Int64] = []
    var isVideo: Bool { coded.kind == .video }

    func microseconds(_ time: RationalTime) throws -> Int64 {
      try time.microseconds(since: origin)
    }

    func end() throws -> Int64 { try survey.end.map(microseconds) ?? 0 }
  }

  private(set) var renditions: [Rendition] = []
  private(set) var leftOut: [(input: Int, name: String, reason: String)] = []
  private(set) var warnings: [(input: Int, text: String)] = []

  /// - Parameter longest: of a segment, in microseconds.
  init(_ sources: [any SampleSource & Sendable], longest: Int64) throws {
    var soundOfVideo: Int?
    for (input, source) in sources.enumerated() {
      let hasVideo = source.tracks.contains { Self.isPlayed($0) && $0.kind == .video }
      let surveys = try TrackSurvey.all(of: source)
      var taken: [Rendition] = []
      for (index, track) in source.tracks.enumerated() {
        if let reason = Self.refusal(of: track, surveys[index]) {
          leftOut.append((input, track.name, reason))
        } else if track.kind == .audio, hasVideo, let other = soundOfVideo, other != input {
          leftOut.append((input, track.name, "is taken from the first input with sound instead"))
        } else {
          if track.kind == .audio, hasVideo { soundOfVideo = input }
          taken.append(
            Rendition(input: input, track: index, coded: track, survey: surveys[index]))
        }
      }
      try begin(&taken)
      renditions += taken
    }
    guard !renditions.isEmpty else {
      let reasons = leftOut.map { "\($0.name) \($0.reason)" }
      throw MediaError(
        .unsupported, of: .input, "cannot be written as hls: " + reasons.joined(separator: "; "))
    }
    try cut(longest: longest)
  }

  private static func isPlayed(_ track: CodedTrack) -> Bool {
    !track.details.roles.contains(.cover)
  }

  private static func refusal(of track: CodedTrack, _ survey: TrackSurvey) -> String? {
    switch track.kind {
    case .video where !isPlayed(track): "is a picture of the file, which has no place in segments"
    case .audio where UncompressedSound(track) != nil || PCMForm(track) != nil:
      "is not compressed, which players of HLS do not take"
    case .video, .audio: survey.samples == 0 ? "has no samples" : MovieEntry.refusal(of: track)
    default: "has no place in segments"
    }
  }

  /// All tracks of an input begin together.
  private mutating func begin(_ tracks: inout [Rendition]) throws {
    var spans: [(start: RationalTime, end: RationalTime)] = []
    for rendition in tracks {
      if let start = rendition.survey.start, let end = rendition.survey.end {
        spans.append((start, end))
      }
    }
    guard let origin = PresentationStart.of(spans) else { return }
    for index in tracks.indices {
      tracks[index].origin = origin
      if tracks[index].isVideo, tracks[index].coded.matrix != TransformationMatrix() {
        warnings.append(
          (
            tracks[index].input,
            "\(tracks[index].coded.name) is turned or moved when it is shown, which players of HLS may not do"
          ))
      }
    }
  }

  private mutating func cut(longest: Int64) throws {
    let videos = renditions.indices.filter { renditions[$0].isVideo }
    var entrances: [[Int64]] = []
    var videoEnd: Int64 = 0
    for index in videos {
      var times: [Int64] = []
      for entrance in renditions[index].survey.entrances {
        let time = try renditions[index].microseconds(entrance)
        if time > times.last ?? .min { times.append(time) }
      }
      entrances.append(times)
      videoEnd = max(videoEnd, try renditions[index].end())
      renditions[index].boundaries = SegmentBoundaries.chosen(
        from: times, end: try renditions[index].end(), longest: longest)
    }
    align(videos, entrances, end: videoEnd, longest: longest)
    let leading = videos.first.map { renditions[$0].boundaries } ?? []
    for index in renditions.indices where !renditions[index].isVideo {
      renditions[index].boundaries = SegmentBoundaries.even(
        after: leading, videoEnd: videoEnd, to: try renditions[index].end(), each: longest)
    }
  }

  /// Segments of all videos begin at the same moments where their key frames allow it without longer ones.
  private mutating func align(
    _ videos: [Int], _ entrances: [[Int64]], end: Int64, longest: Int64
  ) {
    guard videos.count > 1 else { return }
    let common = SegmentBoundaries.common(entrances)
    let own = videos.map { SegmentBoundaries.longest(renditions[$0].boundaries, end: end) }
    let allowed = max(longest + longest / 2, own.max() ?? 0) + SegmentBoundaries.tolerance
    var aligned: [[Int64]] = []
    guard let first = common.first else { return }
    let chosen = SegmentBoundaries.chosen(from: first, end: end, longest: longest)
    for times in common {
      // The same places in the list of each.
      aligned.append(
        chosen.compactMap { boundary in
          first.firstIndex(of: boundary).map { times[$0] }
        })
    }
    guard SegmentBoundaries.longest(chosen, end: end) <= allowed else {
      warnings.append(
        (
          renditions[videos[0]].input,
          "key frames of the videos stand at different times, so their segments are not aligned; "
            + "code them with key frames at the same times for smooth changes"
        ))
      return
    }
    for (place, index) in videos.enumerated() { renditions[index].boundaries = aligned[place] }
  }
}

extension RationalTime {
  /// How long it is after another, in microseconds.
  func microseconds(since origin: RationalTime) throws -> Int64 {
    guard let time = rounded(to: 1_000_000), let start = origin.rounded(to: 1_000_000),
      case (let passed, let overflow) = time.subtractingReportingOverflow(start), !overflow,
      passed.magnitude < 1 << 61
    else {
      throw MediaError(
        .invalid, of: .part("time"), "of \(value)/\(timescale) s is beyond any presentation")
    }
    return passed
  }
}
