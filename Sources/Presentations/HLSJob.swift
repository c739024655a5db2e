// SPDX-License-Identifier: MIT

internal import Bytes
public import Containers
internal import Flow
internal import HLS
internal import ISOBMFF
internal import Media

/// Puts the samples of inputs, each as it is, into a presentation for HTTP Live Streaming: RFC 8216, with
/// segments by ISO/IEC 23000-19 (CMAF). All inputs are renditions of the same.
///
/// Inputs are walked twice: segments of all tracks begin at the same moments, which key frames of the video tell.
public struct HLSJob: Sendable {
  public let options: HLSOptions
  /// What is known before anything is written: the renditions, and what is left out.
  public let plan: HLSReport
  private let sources: [any SampleSource & Sendable]
  private let layout: HLSPlan

  public init(_ inputs: [MediaInput], options: HLSOptions = HLSOptions()) throws {
    if let pipe = inputs.firstIndex(where: \.isGrowing) {
      throw MediaError(
        .unsupported, of: .input,
        "is a pipe, which cannot be walked twice; write it into a file first",
        at: .byte(nil, in: "input \(pipe + 1)"))
    }
    guard let longest = options.segmentDuration.rounded(to: 1_000_000), longest >= 100_000,
      longest <= 3_600_000_000
    else {
      throw MediaError(.misuse, of: .part("segment duration"), "is no time from 0.1 s to an hour")
    }
    self.options = options
    sources = inputs.map(\.source)
    layout = try HLSPlan(sources, longest: longest)
    var plan = HLSReport()
    plan.leftOut = layout.leftOut
    plan.warnings = layout.warnings
    var numbers = (video: 0, audio: 0)
    for rendition in layout.renditions {
      if rendition.isVideo { numbers.video += 1 } else { numbers.audio += 1 }
      let name = rendition.isVideo ? "video-\(numbers.video)" : "audio-\(numbers.audio)"
      plan.renditions.append(HLSReport.Rendition(rendition, name: "\(name)/index.m3u8"))
    }
    self.plan = plan
  }

  /// Writes all files but the playlist that names the renditions, which is for the caller to write last
  /// (`HLSReport.playlist`).
  public func write(to files: any PresentationFiles) throws -> HLSReport {
    var tracks: [SegmentedTrack] = []
    for (rendition, told) in zip(layout.renditions, plan.renditions) {
      let folder = String(told.name.prefix { $0 != "/" })
      tracks.append(try SegmentedTrack(rendition, folder: folder, options, in: files))
    }
    for input in sources.indices { try carry(input, to: &tracks) }
    for index in tracks.indices { try tracks[index].finish() }

    var report = plan
    report.targetDuration = MediaPlaylist.targetDuration(of: tracks.flatMap(\.durations))
    for (index, track) in tracks.enumerated() {
      report.renditions[index].take(track, try EntryFacts(header: track.header), report)
      let file = try files.file(plan.renditions[index].name)
      var sink = PresentationSink(target: file)
      let text = Array(track.playlist(targetDuration: report.targetDuration).text.utf8)
      try sink.append(text.span)
      try sink.passOn()
      let length = track.durations.reduce(0) { $0 + $1.value }
      report.duration.value = max(report.duration.value, (length + 500) / 1000)
    }
    return report
  }

  private func carry(_ input: Int, to tracks: inout [SegmentedTrack]) throws {
    var places: [Int: Int] = [:]
    for (index, rendition) in layout.renditions.enumerated() where rendition.input == input {
      places[rendition.track] = index
    }
    var source = sources[input]
    while let event = try source.next() {
      switch event {
      case .format(let track, let format):
        if let place = places[track] { try tracks[place].change(to: format) }
      case .sample(let sample):
        if let place = places[sample.track] { try tracks[place].add(sample) }
      }
    }
  }
}

extension HLSReport.Rendition {
  fileprivate init(_ rendition: HLSPlan.Rendition, name: String) {
    input = rendition.input
    track = rendition.coded.name
    isVideo = rendition.isVideo
    self.name = name
    language = rendition.coded.language
    title = rendition.coded.details.title
    channels = rendition.coded.channels
  }

  fileprivate mutating func take(_ track: SegmentedTrack, _ facts: EntryFacts, _ report: HLSReport)
  {
    codec = facts.codec
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
    size = facts.size
    videoRange = facts.videoRange
    let length = track.durations.reduce(0) { $0 + $1.value }
    let frames = Int64(samples) * 1_000_000_000
    if length > 0 { frameRate = .milliseconds((frames + length / 2) / length) }
  }
}
