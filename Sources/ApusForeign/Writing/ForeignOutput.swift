// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A container written by libavformat: tracks become streams, samples packets.
final class ForeignOutput: ContainerMuxer {
  private let container: ForeignMuxer.Container
  private let tracks: [CodedTrack]
  private let details: MediaDetails
  private let canReturn: Bool
  /// The units of the container per second.
  private let unit: UInt32
  private var muxer: ForeignMuxer?
  /// The editor for properties of a transport stream that libavformat does not write.
  private var editor: ProgramMapEditor?
  private var isFinished = false
  /// Samples that came before the first time is known.
  private var waiting: [CodedSample] = []
  private var bytes = 0
  private var lead: ForeignLead?
  /// The time at which the last sample of each sound track began, and its distance from the previous one.
  private var steps: [(last: Int64, step: Int64)?]

  /// The most bytes that wait.
  private static let room = 64 << 20

  init(
    _ container: ForeignMuxer.Container, _ tracks: [CodedTrack], _ details: MediaDetails,
    canReturn: Bool
  ) {
    (self.container, self.tracks, self.details) = (container, tracks, details)
    self.canReturn = canReturn
    unit = container == .mpegts ? 90000 : 1000
    steps = tracks.map { _ in nil }
  }

  var shift: RationalTime { RationalTime(lead?.shift ?? 0, per: unit) }

  func add(_ sample: CodedSample) throws {
    guard lead == nil else { return try write(sample) }
    waiting.append(sample)
    bytes += sample.payload.count
    // Anything shown below 0 is also decoded below 0; in a transport stream the first decoding time counts.
    let isKnown = !sample.decodeTime.isBefore(RationalTime(0, per: 1))
    if isKnown || container == .mpegts || bytes > Self.room { try begin() }
  }

  func finish() throws {
    if lead == nil { try begin() }
    try muxer?.finish()
    isFinished = true
  }

  func takePieces() throws -> [(offset: Int, bytes: [UInt8])] {
    let pieces = muxer?.takePieces() ?? []
    return try editor?.edited(pieces, isLast: isFinished) ?? pieces
  }

  private func begin() throws {
    let lead = ForeignLead(of: waiting, tracks, in: container, unit: unit)
    self.lead = lead
    var streams = try tracks.enumerated().map { index, track in
      try ForeignStream(track, delay: lead.delays[index], in: container)
    }
    // Attachments come after all tracks, which thus keep their indices.
    if container == .matroska { streams += try details.attachments.map { try ForeignStream($0) } }
    let made = try ForeignMuxer(
      container, streams, chapters: chapters(lead), tags: tags, canReturn: canReturn)
    for index in tracks.indices where made.unit(of: index) != Fraction(1, Int(unit)) {
      throw MediaError(
        .unsupported, of: .part(tracks[index].name), "does not have units of 1/\(unit) s")
    }
    muxer = consume made
    if container == .mpegts {
      editor = ProgramMapEditor(
        try tracks.map { try $0.picture.dolbyVision?.descriptor() ?? [] })
    }
    for sample in waiting { try write(sample) }
    waiting = []
  }

  private func write(_ sample: CodedSample) throws {
    guard let shown = sample.presentationTime.rounded(to: unit),
      let decoded = sample.decodeTime.rounded(to: unit), let shift = lead?.shift,
      shown.magnitude < 1 << 61, decoded.magnitude < 1 << 61
    else {
      throw MediaError(
        .invalid, of: .part("time"), "is out of range",
        at: .byte(nil, in: "track \(sample.track + 1)"))
    }
    let packet = ForeignPacket(
      stream: sample.track, presentationTime: shown + shift, decodeTime: decoded + shift,
      duration: max(0, sample.duration?.rounded(to: unit) ?? 0), isKey: sample.isSync,
      bytes: try sample.payload.bytes())
    do throws(MediaError) {
      if container == .mpegts, isUneven(sample.track, at: shown) { try muxer?.flush() }
      try muxer?.write(packet)
    } catch {
      throw MediaError(error.kind, of: .part(tracks[sample.track].name), error.message)
    }
  }

  /// Returns whether a sample of sound begins at another time than the distance of the last two samples suggests.
  private func isUneven(_ track: Int, at time: Int64) -> Bool {
    guard tracks[track].kind == .audio else { return false }
    let last = steps[track]
    let step = last.map { time - $0.last } ?? 0
    steps[track] = (time, step)
    guard let last else { return false }
    // Times are rounded to units.
    return (step - last.step).magnitude > 1
  }

  /// Returns the chapters, each with an end: by default the beginning of the next one.
  private func chapters(_ lead: ForeignLead) -> [ForeignChapter] {
    guard container != .mpegts else { return [] }
    let shift = RationalTime(lead.shift, per: unit)
    return details.chapters.indices.compactMap { index in
      let chapter = details.chapters[index]
      let next = index + 1 < details.chapters.count ? details.chapters[index + 1].start : nil
      guard let start = chapter.start.adding(shift),
        let end = (chapter.end ?? next ?? chapter.start).adding(shift), !end.isBefore(start)
      else { return nil }
      return ForeignChapter(start: start, end: end, title: chapter.title)
    }
  }

  private var tags: [ForeignTag] {
    guard container != .mpegts else {
      // A transport stream names its program and its provider; FFmpeg would insert its own names.
      let title = details.tags.first { $0.name.lowercased() == "title" }?.value ?? ""
      return [
        ForeignTag(name: "service_name", value: title),
        ForeignTag(name: "service_provider", value: ""),
      ]
    }
    var tags = details.tags.filter { !Self.own.contains($0.name.lowercased()) }
    if let created = details.creationTime.map({ Date1904(seconds: $0) }) {
      tags.append(("creation_time", created.description))
    }
    return tags.map { ForeignTag(name: $0.name, value: $0.value) }
  }

  /// The tags about the container itself rather than its contents, and those stored in other ways.
  private static let own: Set<String> = [
    "creation_time", "duration", "major_brand", "minor_version", "compatible_brands",
  ]
}
