// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// A stream on its way into a live presentation, from its first key frame to its end.
final class LiveSession {
  /// Whether another stream came before it.
  var isDiscontinuous = false
  /// The tracks that it cannot hold, as text.
  let refused: [String]

  private let tracks: [CodedTrack]
  let options: LivePresentation.Options
  /// The index of each track of the stream among those that are written.
  private let places: [Int?]
  /// The tracks that are written, by their indices in the stream.
  private let numbers: [Int]
  /// The track whose key frames begin segments; the first sound where there are no pictures.
  private let leader: Int?
  var writers: [SegmentedTrack] = []
  var header = ""
  private var firstNumber = 0
  /// Segments that are written, by track, and wait for those of the others.
  private var ready: [[LiveLine.Segment]] = []
  var given = 0
  /// The number of gaps among those, by track.
  var gaps: [Int] = []
  /// Parts of segments that no playlist names yet, by track.
  var parts: [[SegmentedPart]] = []
  /// The time of day at which the first segment of each track begins.
  var dates: [String?] = []
  /// The template for cutting the parts of all tracks; `nil` where there are none.
  var cutter: PartCutter?
  /// Sound that waits for the pictures of the same time, because the next segment may begin before it.
  private var held: [CodedSample] = []
  /// The time of the last boundary, in microseconds of the presentation.
  private var boundary: Int64 = 0
  private var origin: RationalTime?

  /// The longest time, in microseconds, by which sound waits for pictures.
  private static let patience: Int64 = 3_000_000

  /// The number of segments that wait for another track before that gets a gap.
  private static let mostWaiting = 3

  init(_ tracks: [CodedTrack], _ options: LivePresentation.Options) {
    self.tracks = tracks
    self.options = options
    var (refused, places, numbers): ([String], [Int?], [Int]) = ([], [], [])
    for (index, track) in tracks.enumerated() {
      let isMedia = track.kind == .video || track.kind == .audio
      let reason =
        isMedia ? MovieEntry.refusalForPlayers(of: track) : "cannot be stored in segments"
      if let reason { refused.append("\(track.name) \(reason)") }
      places.append(reason == nil ? numbers.count : nil)
      if reason == nil { numbers.append(index) }
    }
    self.refused = refused
    self.places = places
    self.numbers = numbers
    leader = numbers.first { tracks[$0].kind == .video } ?? numbers.first
    ready = numbers.map { _ in [] }
    parts = numbers.map { _ in [] }
    dates = numbers.map { _ in nil }
    gaps = numbers.map { _ in 0 }
  }

  /// Whether anything came that is presented.
  var isBegun: Bool { origin != nil }

  /// Whether nothing more comes of any track.
  private var isFinished = false

  /// The longest duration of a part, in microseconds; `nil` while it is unknown.
  var partLimit: Int64?

  /// Returns the playlists of its tracks.
  func lines(header: String, firstNumber: Int) -> [LiveLine] {
    self.header = header
    self.firstNumber = firstNumber
    var counts: [CodedTrack.Kind: Int] = [:]
    return numbers.map { number in
      let kind = tracks[number].kind
      counts[kind, default: 0] += 1
      return LiveLine(folder: "\(kind == .video ? "video" : "audio")-\(counts[kind] ?? 0)")
    }
  }

  func add(_ event: SourceEvent, in files: any PresentationFiles) throws {
    switch event {
    case .format(let track, let format):
      guard let place = places[track], origin != nil else { return }
      try writers[place].change(to: format)
    case .sample(let sample):
      guard let place = places[sample.track] else { return }
      if origin == nil {
        guard sample.track == leader, sample.isSync || tracks[sample.track].kind != .video else {
          return
        }
        try begin(at: sample.decodeTime, in: files)
      }
      try add(sample, at: place)
    }
  }

  private func begin(at origin: RationalTime, in files: any PresentationFiles) throws {
    self.origin = origin
    let folders = lines(header: header, firstNumber: firstNumber).map(\.folder)
    for (place, number) in numbers.enumerated() {
      var rendition = HLSPlan.Rendition(
        input: 0, track: number, coded: tracks[number], survey: TrackSurvey())
      rendition.origin = origin
      writers.append(
        try SegmentedTrack(
          rendition, folder: folders[place], HLSOptions(), in: files, headerName: header,
          firstNumber: firstNumber, cutter: number == leader ? cutter : cutter?.following))
    }
  }

  private func add(_ sample: CodedSample, at place: Int) throws {
    guard let origin else { return }
    let decoded = try sample.decodeTime.microseconds(since: origin)
    guard decoded >= 0 else { return }
    if sample.track == leader {
      try lead(sample, at: place, decoded)
    } else if tracks[sample.track].kind == .video {
      try writers[place].add(sample)
    } else {
      held.append(sample)
      if let first = held.first,
        decoded - (try first.decodeTime.microseconds(since: origin))
          > Self.patience
      {
        try release(until: decoded - Self.patience)
      }
    }
    settleParts()
    for place in writers.indices { try collect(place) }
  }

  /// Adds a sample of the leading track, which may begin a segment.
  private func lead(_ sample: CodedSample, at place: Int, _ decoded: Int64) throws {
    guard let origin else { return }
    let shown = try sample.presentationTime.microseconds(since: origin)
    let length = options.segmentDuration.rounded(to: 1_000_000) ?? 0
    if sample.isSync, shown - boundary >= length - SegmentBoundaries.tolerance {
      boundary = shown
      for place in writers.indices { writers[place].addBoundary(shown) }
    }
    try release(until: decoded)
    try writers[place].add(sample)
  }

  /// Passes on held sound up to a decoding time.
  private func release(until time: Int64) throws {
    guard let origin else { return }
    while let first = held.first, try first.decodeTime.microseconds(since: origin) <= time {
      held.removeFirst()
      if let place = places[first.track] { try writers[place].add(first) }
    }
  }

  /// Writes everything that is left at the end of the stream.
  func finish(in files: any PresentationFiles) throws {
    guard origin != nil else { return }
    try release(until: .max)
    for place in writers.indices {
      try writers[place].finish()
      try collect(place)
    }
    isFinished = true
  }

  private func collect(_ place: Int) throws {
    parts[place] += writers[place].takeParts()
    let segments = writers[place].takeSegments()
    guard !segments.isEmpty else { return }
    let codec = try EntryFacts(header: writers[place].header).codec
    for segment in segments {
      let start = segment.written.start.rounded(to: 1_000_000) ?? 0
      let end = segment.written.end.rounded(to: 1_000_000) ?? start
      var line = LiveLine.Segment(
        name: segment.name, header: header,
        duration: RationalTime(max(end - start, 1), per: 1_000_000), size: segment.written.size,
        samples: segment.written.samples,
        isIndependent: segment.written.startsWithSync && !segment.written.startsWithLeading)
      line.codec = codec
      line.end = segment.written.end
      if tracks[numbers[place]].kind == .video {
        line.keyFrames = LiveLine.Segment.wound(segment.written.keyFrames, until: line.end)
      }
      line.hasParts = segment.hasParts
      ready[place].append(line)
    }
  }

  /// Returns the next segment of each track, once all have one. A track that has stopped has gaps instead, also one whose last
  /// samples did not come before the stream was cut off.
  ///
  /// - Parameter date: returns the time of day this many microseconds ago.
  func nextSegments(_ date: (Int64) -> String) -> [LiveLine.Segment]? {
    let most = ready.map(\.count).max() ?? 0
    let isWhole = ready.allSatisfy { !$0.isEmpty }
    guard most > 0, isWhole || isFinished || most > Self.mostWaiting,
      let model = ready.first(where: { !$0.isEmpty })
    else { return nil }
    var segments = ready.map { $0.first ?? .gap(instead: model[0], number: given) }
    for place in ready.indices where !ready[place].isEmpty { ready[place].removeFirst() }
    for place in segments.indices {
      if segments[place].isGap { gaps[place] += 1 } else { takeParts(of: &segments[place], place) }
      begin(&segments[place], place, date)
    }
    given += 1
    return segments
  }

  /// The channels of closed captions so far, by track.
  var captions: [[String]] { writers.map { $0.captions?.channels.names ?? [] } }

  /// Returns the facts for the multivariant playlist.
  func report(_ lines: [LiveLine], isEnded: Bool) throws -> HLSReport {
    var report = HLSReport()
    for (place, number) in numbers.enumerated() {
      let track = tracks[number]
      let facts = try EntryFacts(header: writers[place].header)
      var rendition = HLSReport.Rendition(
        input: 0, track: track.name, kind: track.kind == .video ? .video : .audio,
        name: "\(lines[place].folder)/index.m3u8")
      rendition.codec = facts.codec
      rendition.earlierCodecs = lines[place].codecs.filter { $0 != facts.codec }
      rendition.supplementalCodecs = facts.supplementalCodecs
      rendition.language = track.languageTag ?? track.language
      rendition.title = track.details.title
      rendition.channels = facts.channels ?? (track.channels > 0 ? "\(track.channels)" : nil)
      rendition.averageRate = lines[place].average
      if lines[place].hasKeyFrames {
        let rates = lines[place].keyFrameRates
        rendition.keyFramePlaylist = HLSReport.Rendition.KeyFrames(
          name: "\(lines[place].folder)/iframes.m3u8", peakRate: 0, averageRate: rates.average)
      }
      rendition.isIndependent = lines[place].isIndependent(isEnded: isEnded)
      if track.kind == .video {
        rendition.size = facts.size
        rendition.videoRange = facts.videoRange
        let captions = writers[place].captions?.channels.names
        // Others may come yet.
        rendition.captions = captions == [] && !isEnded ? nil : captions
        // Gaps have no samples.
        let counted = lines[place].segments.filter { $0.samples > 0 }
        rendition.frameRate = FrameRateText.rate(
          frames: counted.reduce(0) { $0 + $1.samples },
          microseconds: counted.reduce(0) { $0 + $1.microseconds })
      }
      report.renditions.append(rendition)
    }
    return report
  }
}
