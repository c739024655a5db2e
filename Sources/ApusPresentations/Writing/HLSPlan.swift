// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The tracks of the inputs that become renditions, and the times at which their segments begin.
struct HLSPlan: Sendable {
  struct Rendition: Sendable {
    /// The index of its input, and of its track there.
    var input: Int
    var track: Int
    var coded: CodedTrack
    var survey: TrackSurvey
    /// The time of its input at which the presentation begins.
    var origin = RationalTime.milliseconds(0)
    /// The times at which all segments but the first begin, in microseconds of the presentation.
    var boundaries: [Int64] = []
    var isVideo: Bool { coded.kind == .video }
    var isText: Bool { coded.kind == .subtitle }

    func microseconds(_ time: RationalTime) throws -> Int64 {
      try time.microseconds(since: origin)
    }

    func end() throws -> Int64 { try survey.end.map(microseconds) ?? 0 }
  }

  private(set) var renditions: [Rendition] = []
  private(set) var leftOut: [(input: Int, name: String, reason: String)] = []
  private(set) var warnings: [(input: Int, text: String)] = []

  /// - Parameter longest: the longest duration of a segment, in microseconds.
  init(_ sources: [any SampleSource & Sendable], longest: Int64) throws {
    var soundOfVideo: Int?
    var textOfVideo: Int?
    for (input, source) in sources.enumerated() {
      let hasVideo = source.tracks.contains { Self.isPlayed($0) && $0.kind == .video }
      if let loss = source.details.loss(in: .hls) { warnings.append((input, loss)) }
      let surveys = try TrackSurvey.all(of: source)
      var taken: [Rendition] = []
      for (index, track) in source.tracks.enumerated() {
        if let reason = Self.refusal(of: track, surveys[index]) {
          leftOut.append((input, track.name, reason))
        } else if track.kind == .audio, hasVideo, let other = soundOfVideo, other != input {
          leftOut.append((input, track.name, "is not from the first input with audio"))
        } else if track.kind == .subtitle, hasVideo, let other = textOfVideo, other != input {
          leftOut.append(
            (
              input, track.name,
              "cannot be combined with the subtitles of the first input that has some"
            ))
        } else {
          if track.kind == .audio, hasVideo { soundOfVideo = input }
          if track.kind == .subtitle, hasVideo { textOfVideo = input }
          taken.append(
            Rendition(input: input, track: index, coded: track, survey: surveys[index]))
        }
      }
      try begin(&taken)
      renditions += taken
    }
    guard renditions.contains(where: { !$0.isText }) else {
      let reasons = leftOut.map { "\($0.name) \($0.reason)" }
      throw MediaError(
        .unsupported, of: .input, "cannot be written as hls: " + reasons.joined(separator: "; "))
    }
    guard renditions.count <= Self.mostRenditions else {
      throw MediaError(
        .limit, of: .input,
        "has \(renditions.count) tracks to write; a presentation holds at most \(Self.mostRenditions)",
        remedy: .tracks)
    }
    try cut(longest: longest)
  }

  /// The most renditions: each has a file that stays open, and on many machines a process may have 1,024 of them.
  private static let mostRenditions = 500

  private static func isPlayed(_ track: CodedTrack) -> Bool {
    !track.details.roles.contains(.cover)
  }

  private static func refusal(of track: CodedTrack, _ survey: TrackSurvey) -> String? {
    switch track.kind {
    case .video where !isPlayed(track):
      "is a cover picture, which cannot be stored in segments"
    case .video, .audio:
      survey.samples == 0 ? "has no samples" : MovieEntry.refusalForPlayers(of: track)
    case .subtitle where WebVTTCues(track) == nil:
      "is not text in a known format"
    case .subtitle: survey.samples == 0 ? "has no samples" : nil
    default: "cannot be stored in segments"
    }
  }

  /// Sets one origin for all tracks of an input.
  private mutating func begin(_ tracks: inout [Rendition]) throws {
    var spans: [(start: RationalTime, end: RationalTime)] = []
    for rendition in tracks where !rendition.isText {
      if let start = rendition.survey.start, let end = rendition.survey.end {
        spans.append((start, end))
      }
    }
    guard var origin = PresentationStart.of(spans) else { return }
    // Players of segments show the pictures that an edit list hides, so the presentation begins with them.
    for rendition in tracks where rendition.isVideo {
      if let start = rendition.survey.start, start.isBefore(origin) { origin = start }
    }
    for index in tracks.indices {
      tracks[index].origin = origin
      if tracks[index].isVideo, tracks[index].coded.matrix != TransformationMatrix() {
        warnings.append(
          (
            tracks[index].input,
            "\(tracks[index].coded.name) has a rotation or position, which HLS players may ignore"
          ))
      }
    }
  }

  private mutating func cut(longest: Int64) throws {
    let videos = renditions.indices.filter { renditions[$0].isVideo }
    var entrances: [[Int64]] = []
    for index in videos {
      var times: [Int64] = []
      for entrance in renditions[index].survey.entrances {
        let time = try renditions[index].microseconds(entrance)
        if time > times.last ?? .min { times.append(time) }
      }
      entrances.append(times)
      renditions[index].boundaries = SegmentBoundaries.chosen(
        from: times, end: try renditions[index].end(), longest: longest)
    }
    let ends = try videos.map { try renditions[$0].end() }
    align(videos, entrances, ends, longest: longest)
    try compareLengths()
    let videoEnd = ends.max() ?? 0
    let leading = ends.firstIndex(of: videoEnd).map { renditions[videos[$0]].boundaries } ?? []
    for index in renditions.indices where !renditions[index].isVideo {
      let end = renditions[index].isText ? try self.end() : try renditions[index].end()
      renditions[index].boundaries = SegmentBoundaries.even(
        after: leading, videoEnd: videoEnd, to: end, each: longest)
    }
  }

  /// Returns the time at which the last picture or sound ends, in microseconds; titles that last longer are cut there.
  func end() throws -> Int64 {
    try renditions.filter { !$0.isText }.map { try $0.end() }.max() ?? 0
  }

  /// Warns about renditions that are shorter than others: players switch between them at any moment, also at the end.
  private mutating func compareLengths() throws {
    let all = try renditions.filter { !$0.isText }.map { ($0, try $0.end()) }
    guard let longest = all.max(by: { $0.1 < $1.1 }) else { return }
    for (rendition, end) in all where longest.1 - end > Self.allowedDifference {
      func seconds(_ time: Int64) -> String { "\((time + 500_000) / 1_000_000) s" }
      warnings.append(
        (
          rendition.input,
          "\(rendition.coded.name) lasts \(seconds(end)), \(longest.0.coded.name) \(seconds(longest.1)): "
            + "renditions of one presentation must have the same duration"
        ))
    }
  }

  /// The difference allowed between the ends of sound and pictures that belong together, in microseconds.
  private static var allowedDifference: Int64 { 1_000_000 }

  /// Makes the segments of all videos begin at the same moments, if their key frames allow that without longer
  /// segments.
  private mutating func align(
    _ videos: [Int], _ entrances: [[Int64]], _ ends: [Int64], longest: Int64
  ) {
    guard videos.count > 1 else { return }
    let common = SegmentBoundaries.common(entrances)
    let end = ends.min() ?? 0
    let own = zip(videos, ends).map { index, end in
      SegmentBoundaries.longest(renditions[index].boundaries, end: end)
    }
    let allowed = max(longest + longest / 2, own.max() ?? 0) + SegmentBoundaries.tolerance
    var aligned: [[Int64]] = []
    guard let first = common.first else { return }
    let chosen = SegmentBoundaries.chosen(from: first, end: end, longest: longest)
    for times in common {
      // The same indices in the list of each.
      aligned.append(
        chosen.compactMap { boundary in
          first.firstIndex(of: boundary).map { times[$0] }
        })
    }
    guard SegmentBoundaries.longest(chosen, end: end) <= allowed else {
      warnings.append(
        (
          renditions[videos[0]].input,
          "key frames of the videos are at different times, so their segments are not aligned; "
            + "encode them with key frames at the same times for smooth switching"
        ))
      return
    }
    for (place, index) in videos.enumerated() {
      // After the end of the shortest rendition, each of the others continues by itself.
      let last = aligned[place].last ?? entrances[place].first ?? 0
      renditions[index].boundaries =
        aligned[place]
        + SegmentBoundaries.chosen(
          from: entrances[place].filter { $0 >= last }, end: ends[place], longest: longest)
    }
  }
}

extension RationalTime {
  /// Returns the time since another, in microseconds.
  func microseconds(since origin: RationalTime) throws -> Int64 {
    guard let time = rounded(to: 1_000_000), let start = origin.rounded(to: 1_000_000),
      case (let passed, let overflow) = time.subtractingReportingOverflow(start), !overflow,
      passed.magnitude < 1 << 61
    else {
      throw MediaError(
        .invalid, of: .part("time"), "of \(value)/\(timescale) s is out of range")
    }
    return passed
  }
}
