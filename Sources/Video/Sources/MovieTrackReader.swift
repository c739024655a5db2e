// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import ISOBMFF
internal import Media

/// The samples of one track of a movie, in the times of the presentation.
struct MovieTrackReader: Sendable {
  private(set) var track: CodedTrack
  private(set) var warnings: [String] = []
  private(set) var hasSamples = false
  /// When the next sample is decoded.
  private(set) var time: RationalTime?

  private let path: String
  private let source: any ByteSource
  private var cursor: SampleCursor
  private var formats: [Int: CodedTrack.Format] = [:]
  /// The sample entry of the sample that was handed over last, and of the track as it was announced.
  private var current = 0
  private var pending: TrackSample?
  /// From media time to presentation time.
  private var shift: Int64 = 0
  /// How much earlier decoding has to be, so that no composition offset is below 0.
  private var lead: Int64 = 0

  init(_ track: Track, _ kind: CodedTrack.Kind, in source: any ByteSource) throws(SyntaxError) {
    path = track.path
    self.source = source
    cursor = track.samples()
    let survey = try MovieTrackSurvey(track, in: source)
    hasSamples = survey.first != nil
    let first = survey.first?.descriptionIndex ?? 1
    let entries = track.sampleEntries
    guard hasSamples, let entry = entries.first(where: { $0.index == first }) else {
      self.track = CodedTrack(kind, .other("none", []), timescale: max(1, track.timescale))
      if hasSamples { throw Self.failure(track, "has no sample entry \(first)") }
      return
    }
    guard track.timescale > 0 else { throw Self.failure(track, "has no timescale") }
    for entry in entries where survey.descriptions.contains(entry.index) {
      formats[entry.index] = try MovieFormat.format(
        of: entry, kind, firstSync: survey.firstSyncs[entry.index], in: source)
    }
    guard let format = formats[first] else {
      throw Self.failure(track, "has no sample entry \(first)")
    }
    current = first
    lead = survey.lead
    self.track = CodedTrack(kind, format, timescale: track.timescale)
    self.track.language = track.language
    MovieFormat.describe(entry, &self.track)
    let start = try MovieEdits(track)
    shift = start.shift
    warnings = start.warnings
    if let cut = survey.hidden(behind: track, timeShift: shift) {
      warnings.append(
        "\(path): its edit list ends \(cut) ms before its last sample; what is behind it is kept")
    }
    let hidden = RationalTime(-(try moved(survey.start, by: 0).value), per: track.timescale)
    if kind == .video, hidden.value > 0, let milliseconds = hidden.rounded(to: 1000) {
      warnings.append(
        "\(path): its edit list hides the first \(milliseconds) ms, which decoding needs; what has no "
          + "edit lists shows them")
    }
    if entry.located.child("lhvC") != nil {
      warnings.append("\(path): the lhvC of the layers above the base is not carried")
    }
    if kind == .video, let matrix = track.header?.matrix { self.track.matrix = matrix }
  }

  private static func failure(_ track: Track, _ detail: String) -> SyntaxError {
    SyntaxError(.invalid, field: "", path: track.path, offset: 0, detail: detail)
  }

  /// Goes to the next sample that holds anything.
  mutating func advance() throws(SyntaxError) {
    repeat { pending = try cursor.next() } while pending?.size == 0
    guard let pending else {
      time = nil
      return
    }
    time = try moved(pending.decodeTime, by: -lead)
  }

  /// What comes next of the track: a sample, or the format of the samples from here on.
  mutating func take(as index: Int) throws(SyntaxError) -> SourceEvent? {
    guard let sample = pending, let time else { return nil }
    if sample.descriptionIndex != current {
      guard let format = formats[sample.descriptionIndex] else {
        throw SyntaxError(
          .invalid, field: "sample_description_index", path: path, offset: sample.offset,
          detail: "is \(sample.descriptionIndex), which is no sample entry")
      }
      current = sample.descriptionIndex
      track.format = format
      return .format(track: index, format)
    }
    let payload = Extent(source, sample.range)
    let coded = CodedSample(
      track: index, decodeTime: time, presentationTime: try moved(sample.compositionTime, by: 0),
      duration: RationalTime(sample.duration, per: track.timescale),
      isSync: try track.format.isSync(payload, said: sample.isSync), payload: payload)
    try advance()
    return .sample(coded)
  }

  private func moved(_ time: Int64, by more: Int64) throws(SyntaxError) -> RationalTime {
    let (sum, overflow) = time.addingReportingOverflow(shift)
    let (result, beyond) = sum.addingReportingOverflow(more)
    guard !overflow, !beyond, result.magnitude < 1 << 62 else {
      throw SyntaxError(
        .invalid, field: "media_time", path: path, offset: 0, detail: "moves samples beyond 2^62")
    }
    return RationalTime(result, per: track.timescale)
  }
}
