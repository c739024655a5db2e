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
  var time: RationalTime?

  private let path: String
  let source: any ByteSource
  private var cursor: SampleCursor
  private(set) var formats: [Int: CodedTrack.Format] = [:]
  /// The sample entry of the sample that was handed over last, and of the track as it was announced.
  private var current = 0
  /// The next sample, with those like it where samples are moments of sound.
  var pending: SampleRun?
  /// The rest of a sample that comes before that.
  var begun: CodedSample?
  /// From media time to presentation time.
  private var shift: Int64 = 0
  /// How much earlier decoding has to be, so that no composition offset is below 0.
  private(set) var lead: Int64 = 0

  /// How many samples are whole, and how many were walked.
  private var count = 0
  private var passed = 0
  /// Whether samples are moments of sound, of which there are tens of thousands in a second.
  private var isUncompressed = false

  /// - Parameters:
  ///   - isQuickTime: whether the file is QuickTime's form of the format.
  ///   - isSalvaging: whether the track ends before the first sample that is damaged.
  init(
    _ track: Track, _ kind: CodedTrack.Kind, in source: any ByteSource, isQuickTime: Bool = false,
    isSalvaging: Bool = false
  ) throws(SyntaxError) {
    path = track.path
    self.source = source
    cursor = track.samples()
    let survey = try MovieTrackSurvey(track, in: source, isSalvaging: isSalvaging)
    count = survey.count
    hasSamples = survey.first != nil
    if let loss = survey.loss {
      let lost = survey.lost > 0 ? "\(survey.lost) samples are" : "what follows is"
      warnings.append("\(path): \(lost) lost behind the first \(survey.count): \(loss.message)")
    }
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
    self.track.details = TrackDetails(track, isQuickTime: isQuickTime)
    self.track.details.sampleEntries = entries.compactMap { entry in
      formats[entry.index].map { ($0, entry.node) }
    }
    self.track.details.movie?.groupings = try track.groupings(of: survey.count)
    MovieFormat.describe(entry, &self.track)
    if kind == .video { try describePicture(entry, survey.firstSyncs[first]) }
    isUncompressed = kind == .audio && survey.isUniform
    try follow(track, survey)
    if let matrix = track.header?.matrix { self.track.matrix = matrix }
  }

  /// What the edit list makes of the times.
  private mutating func follow(_ track: Track, _ survey: MovieTrackSurvey) throws(SyntaxError) {
    let start = try MovieEdits(track)
    shift = start.shift
    var losses = start.losses
    let hiddenEnd = survey.hidden(behind: track, timeShift: shift)
    if let hiddenEnd, let cut = hiddenEnd.rounded(to: 1000), cut >= 100,
      survey.hidesSamples(behind: hiddenEnd)
    {
      losses.append(
        "\(path): its edit list ends \(cut) ms before its last sample does; what is behind it is "
          + "kept")
    }
    // A list without lengths belongs to fragments, whose end nobody knows.
    let isMeasured = track.edits.allSatisfy { $0.segmentDuration > 0 }
    let isOther = self.track.kind != .video && self.track.kind != .audio
    if !track.edits.isEmpty, isMeasured, !losses.isEmpty || hiddenEnd != nil || isOther {
      self.track.details.movie?.edits = NewEdits(
        track.edits, movieTimescale: track.movieTimescale, shift: shift)
    }
    if formats.keys.contains(where: { number in
      track.sampleEntries.contains { $0.index == number && $0.located.child("lhvC") != nil }
    }) {
      let loss = "\(path): the lhvC of the layers above the base is not carried"
      self.track.details.movie?.entryLosses = [loss]
      warnings.append(loss)
    }
    self.track.details.movie?.editLosses = losses
    warnings += losses
    let hidden = RationalTime(-(try moved(survey.start, by: 0).value), per: track.timescale)
    if self.track.kind == .video, hidden.value > 0, let milliseconds = hidden.rounded(to: 1000) {
      warnings.append(
        "\(path): its edit list hides the first \(milliseconds) ms, which decoding needs; what has no "
          + "edit lists shows them")
    }
  }

  private mutating func describePicture(_ entry: TrackSampleEntry, _ firstSync: TrackSample?)
    throws(SyntaxError)
  {
    var picture = try PictureTraits(entry)
    // QuickTime's form of colour has no range.
    let hasNoRange = entry.located.children.contains {
      $0.box(ColourInformation.self)?.colourType == "nclc"
    }
    var stream = PictureTraits()
    switch track.format {
    case .hevc(let record):
      stream.complete(from: record)
      let units = try firstSync.map { sample throws(SyntaxError) in
        try InBandSets.messages(in: Extent(source, sample.range), lengthSize: record.lengthSize)
      }
      picture.complete(from: record, and: units ?? [])
    case .avc(let bytes):
      stream.complete(fromAVC: bytes)
      picture.complete(fromAVC: bytes)
    case .aac, .other: break
    }
    if hasNoRange, let range = stream.colour?.isFullRange { picture.colour?.isFullRange = range }
    track.picture = picture
  }

  private static func failure(_ track: Track, _ detail: String) -> SyntaxError {
    SyntaxError(.invalid, field: "", path: track.path, offset: 0, detail: detail)
  }

  /// Goes to the next sample that holds anything; of text nothing may be meant.
  mutating func advance() throws(SyntaxError) {
    let hasEmpty = track.kind != .video && track.kind != .audio
    repeat {
      let most = isUncompressed ? min(Self.mostMoments, count - passed) : 1
      pending = passed < count ? try cursor.nextRun(upTo: most) : nil
      passed += pending?.count ?? 0
    } while pending?.first.size == 0 && !hasEmpty
    try settleTime()
  }

  mutating func settleTime() throws(SyntaxError) {
    time = try pending.map { run throws(SyntaxError) in
      try moved(run.first.decodeTime, by: -lead)
    }
  }

  /// What comes next of the track: a sample, or the format of the samples from here on.
  mutating func take(as index: Int) throws(SyntaxError) -> SourceEvent? {
    if var begun {
      begun.track = index
      self.begun = nil
      try settleTime()
      return .sample(begun)
    }
    guard let run = pending, let time else { return nil }
    let sample = run.first
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
    if isUncompressed { return try takeMoments(from: run, at: time, as: index) }
    let payload = Extent(source, sample.range)
    var coded = CodedSample(
      track: index, decodeTime: time, presentationTime: try moved(sample.compositionTime, by: 0),
      duration: RationalTime(sample.duration, per: track.timescale),
      isSync: try track.format.isSync(payload, said: sample.isSync), payload: payload)
    coded.number = sample.index
    try advance()
    return .sample(coded)
  }

  /// Many moments of sound at once, as far as they lie one behind the other and last as long.
  private mutating func takeMoments(
    from run: SampleRun, at time: RationalTime, as index: Int
  ) throws(SyntaxError) -> SourceEvent {
    let first = run.first
    var taken = run
    try advance()
    while let next = pending, taken.count + next.count <= Self.mostMoments,
      next.first.offset == taken.range.upperBound, next.first.size == first.size,
      next.first.duration == first.duration, next.first.descriptionIndex == current
    {
      taken.count += next.count
      try advance()
    }
    var coded = CodedSample(
      track: index, decodeTime: time,
      presentationTime: try moved(first.compositionTime, by: 0),
      duration: RationalTime(first.duration * Int64(taken.count), per: track.timescale),
      isSync: true, payload: Extent(source, taken.range))
    coded.number = first.index
    coded.count = taken.count
    return .sample(coded)
  }

  private static let mostMoments = 1024

  func moved(_ time: Int64, by more: Int64) throws(SyntaxError) -> RationalTime {
    let (sum, overflow) = time.addingReportingOverflow(shift)
    let (result, beyond) = sum.addingReportingOverflow(more)
    guard !overflow, !beyond, result.magnitude < 1 << 62 else {
      throw SyntaxError(
        .invalid, field: "media_time", path: path, offset: 0, detail: "moves samples beyond 2^62")
    }
    return RationalTime(result, per: track.timescale)
  }
}
