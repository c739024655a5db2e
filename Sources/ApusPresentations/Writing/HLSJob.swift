// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// Puts the samples of inputs, unchanged, into a presentation for HTTP Live Streaming: RFC 8216, with segments by
/// ISO/IEC 23000-19 (CMAF). All inputs are renditions of the same content.
///
/// Inputs are read twice: segments of all tracks begin at the same moments, which depend on the key frames of the
/// video.
public struct HLSJob: CancellableJob {
  /// The options as passed to `init`.
  public let options: HLSOptions
  /// The facts known before anything is written: the renditions, and what is left out.
  public let plan: HLSReport
  private let sources: [any SampleSource & Sendable]
  private let layout: HLSPlan
  /// Returns, between samples, whether the job should end with an error.
  package var isCancelled: @Sendable () -> Bool = { false }

  /// Reads the inputs once, and plans the renditions and their segments.
  ///
  /// - Parameter inputs: inputs that can be read again; throws for a pipe.
  public init(_ inputs: [MediaInput], options: HLSOptions = HLSOptions()) throws {
    if let pipe = inputs.firstIndex(where: \.isGrowing) {
      throw MediaError(
        .unsupported, of: .input,
        "is a pipe, which cannot be read twice; write it to a file first",
        at: .byte(nil, in: "input \(pipe + 1)"))
    }
    guard let longest = options.segmentDuration.rounded(to: 1_000_000), longest >= 100_000,
      longest <= 3_600_000_000
    else {
      throw MediaError(.misuse, of: .part("segment duration"), "must be 0.1 s to 1 hour")
    }
    self.options = options
    sources = inputs.map(\.shownSource)
    layout = try HLSPlan(sources, longest: longest)
    var plan = HLSReport()
    plan.leftOut = layout.leftOut
    plan.warnings = layout.warnings
    var numbers: [CodedTrack.Kind: Int] = [:]
    for rendition in layout.renditions {
      let kind = rendition.coded.kind
      numbers[kind, default: 0] += 1
      let word = kind == .video ? "video" : kind == .audio ? "audio" : "text"
      plan.renditions.append(
        HLSReport.Rendition(rendition, name: "\(word)-\(numbers[kind] ?? 0)/index.m3u8"))
    }
    self.plan = plan
  }

  /// Writes all files except the playlist that names the renditions, which the caller has to write last
  /// (`HLSReport.playlist`), while the calling thread waits.
  public func writeAndWait(to files: any PresentationFiles) throws -> HLSReport {
    var tracks: [Int: SegmentedTrack] = [:]
    var texts: [Int: SegmentedText] = [:]
    for (index, rendition) in layout.renditions.enumerated() {
      let folder = String(plan.renditions[index].name.prefix { $0 != "/" })
      if rendition.isText {
        texts[index] = try SegmentedText(rendition, folder: folder)
      } else {
        tracks[index] = try SegmentedTrack(rendition, folder: folder, options, in: files)
      }
    }
    var repairs: [(Int, String)] = []
    for input in sources.indices {
      repairs += try carry(input, to: &tracks, &texts).map { (input, $0) }
    }
    let end = try layout.end()
    for index in tracks.keys.sorted() { try tracks[index]?.finish() }
    for index in texts.keys.sorted() { try texts[index]?.finish(at: end, in: files) }

    var report = plan
    report.warnings += repairs
    report.targetDuration = MediaPlaylist.targetDuration(
      of: tracks.values.flatMap(\.durations) + texts.values.flatMap(\.durations))
    for index in plan.renditions.indices {
      let name = plan.renditions[index].name
      if let text = texts[index] {
        report.renditions[index].summarize(text, report)
        try write(text.playlist(targetDuration: report.targetDuration), to: name, in: files)
      }
      guard let track = tracks[index] else { continue }
      report.renditions[index].summarize(track, try EntryFacts(header: track.header), report)
      try write(track.playlist(targetDuration: report.targetDuration), to: name, in: files)
      if let winding = report.renditions[index].keyFramePlaylist {
        try write(track.keyFramePlaylist(), to: winding.name, in: files)
      }
      if track.rendition.isVideo, !track.isIndependent {
        report.warnings.append(
          (
            track.rendition.input,
            "\(track.rendition.coded.name) has pictures that need the segment before their own (open groups of "
              + "pictures), so the playlists do not say that segments are independent, as Apple asks"
          ))
      }
      let length = track.durations.reduce(0) { $0 + $1.value }
      report.duration.value = max(report.duration.value, (length + 500) / 1000)
    }
    return report
  }

  private func write(
    _ playlist: MediaPlaylist, to name: String, in files: any PresentationFiles
  ) throws {
    var sink = PresentationSink(target: try files.file(name))
    try sink.append(Array(playlist.text.utf8).span)
    try sink.passOn()
  }

  /// - Returns: the faults of the samples that were repaired.
  private func carry(
    _ input: Int, to tracks: inout [Int: SegmentedTrack], _ texts: inout [Int: SegmentedText]
  ) throws -> [String] {
    var places: [Int: Int] = [:]
    for (index, rendition) in layout.renditions.enumerated() where rendition.input == input {
      places[rendition.track] = index
    }
    var source = sources[input]
    while let event = try source.next() {
      if isCancelled() { throw CancellationError() }
      switch event {
      case .format(let track, let format):
        if let place = places[track] { try tracks[place]?.change(to: format) }
      case .sample(let sample):
        guard let place = places[sample.track] else { continue }
        try tracks[place]?.add(sample)
        try texts[place]?.add(sample)
      }
    }
    return source.repairs
  }
}

extension HLSReport.Rendition {
  fileprivate init(_ rendition: HLSPlan.Rendition, name: String) {
    input = rendition.input
    track = rendition.coded.name
    kind = rendition.isVideo ? .video : rendition.isText ? .subtitles : .audio
    roles = rendition.coded.details.roles
    self.name = name
    language = rendition.coded.languageTag ?? rendition.coded.language
    title = rendition.coded.details.title
    if rendition.coded.channels > 0 { channels = "\(rendition.coded.channels)" }
  }

  fileprivate mutating func summarize(
    _ track: SegmentedTrack, _ facts: EntryFacts, _ report: HLSReport
  ) {
    codec = facts.codec
    channels = facts.channels ?? channels
    samples = track.samples
    keyFrames = track.keyFrames
    changes = track.changes
    segments = track.segments.count
    bytes = track.segments.reduce(track.header.count) { $0 + $1.size }
    let rates = track.rates
    peakRate = rates.peak(target: report.targetDuration)
    averageRate = rates.average
    isIndependent = track.isIndependent
    guard isVideo else { return }
    supplementalCodecs = facts.supplementalCodecs
    size = facts.size
    videoRange = facts.videoRange
    captions = track.captions?.channels.names
    frameRate = FrameRateText.rate(
      frames: samples, microseconds: track.durations.reduce(0) { $0 + $1.value })
    let (winding, target) = track.windingRates
    guard !winding.segments.isEmpty else { return }
    keyFramePlaylist = KeyFrames(
      name: "\(track.folder)/iframes.m3u8", peakRate: winding.peak(target: target),
      averageRate: winding.average)
  }

  fileprivate mutating func summarize(_ text: SegmentedText, _ report: HLSReport) {
    codec = "wvtt"
    samples = text.count
    segments = text.segments.count
    bytes = text.segments.reduce(0) { $0 + $1.size }
    peakRate = text.rates.peak(target: report.targetDuration)
    averageRate = text.rates.average
  }
}
