// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import ISOBMFF
internal import Media

/// The samples of one track of a movie, in the times of the presentation. What the track is stands elsewhere
/// (`OpenedMovieTrack`), for a movie may have very many.
struct MovieTrackReader: Sendable {
  /// When the next sample is decoded.
  var time: RationalTime?
  /// The next sample, with those like it where samples are moments of sound.
  var pending: SampleRun?
  /// The rest of a sample that comes before that.
  var begun: CodedSample?

  let kind: CodedTrack.Kind
  let timescale: UInt32
  let source: any ByteSource
  /// How much earlier decoding has to be, so that no composition offset is below 0.
  let lead: Int64
  let formats: [Int: CodedTrack.Format]
  private let path: String
  private var walk: SampleWalk
  /// The sample entry of the sample that was handed over last, and of the track as it was announced.
  private var current: Int
  private(set) var format: CodedTrack.Format
  /// What is added to media time to get presentation time.
  private let shift: Int64
  /// How many samples are whole, and how many were walked.
  private let count: Int
  private var passed = 0
  /// Whether samples are moments of sound, of which there are tens of thousands in a second.
  private let isUncompressed: Bool
  /// Samples without bytes, which are passed over.
  private var emptyCount = 0
  /// Samples that are not made of whole NAL units, and the first of them.
  private var tornCount = 0
  private var firstTorn: (number: Int, offset: Int)?

  /// - Parameters:
  ///   - coded: what the track is.
  ///   - formats: those of the sample entries that are in use.
  ///   - shift: what its edit list adds to a media time.
  init(
    _ track: Track, as coded: CodedTrack, _ survey: MovieTrackSurvey, in source: any ByteSource,
    formats: [Int: CodedTrack.Format], shift: Int64
  ) {
    kind = coded.kind
    timescale = coded.timescale
    format = coded.format
    path = track.path
    self.source = source
    self.formats = formats
    self.shift = shift
    walk = SampleWalk(track, survey)
    count = survey.count
    lead = survey.lead
    current = survey.firstEntry
    isUncompressed = coded.kind == .audio && survey.isUniform
  }

  /// Goes to the next sample that holds anything; of text nothing may be meant.
  mutating func advance() throws {
    let hasEmpty = kind != .video && kind != .audio
    repeat {
      let most = isUncompressed ? min(Self.mostMoments, count - passed) : 1
      pending = passed < count ? try walk.nextRun(upTo: most) : nil
      passed += pending?.count ?? 0
      if passed >= count { walk.end() }
      guard let pending, pending.first.size == 0, !hasEmpty else { break }
      emptyCount += pending.count
    } while true
    try settleTime()
  }

  mutating func settleTime() throws {
    time = try pending.map { run in
      try moved(run.first.decodeTime, by: -lead)
    }
  }

  /// What comes next of the track: a sample, or the format of the samples from here on.
  mutating func next(as index: Int) throws -> SourceEvent? {
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
      self.format = format
      return .format(track: index, format)
    }
    if isUncompressed { return try takeMoments(from: run, at: time, as: index) }
    let payload = Extent(source, sample.range)
    let isWhole = try format.holdsWholeUnits(payload)
    if !isWhole {
      if firstTorn == nil { firstTorn = (sample.index + 1, sample.offset) }
      tornCount += 1
    }
    var coded = CodedSample(
      track: index, decodeTime: time, presentationTime: try moved(sample.compositionTime, by: 0),
      duration: RationalTime(sample.duration, per: timescale),
      // What is torn says nothing of itself.
      isSync: isWhole ? try format.isSync(payload, said: sample.isSync) : sample.isSync,
      payload: payload)
    coded.number = sample.index
    try advance()
    return .sample(coded)
  }

  /// Many moments of sound at once, as far as they lie one after the other and last as long.
  private mutating func takeMoments(
    from run: SampleRun, at time: RationalTime, as index: Int
  ) throws -> SourceEvent {
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
      duration: RationalTime(first.duration * Int64(taken.count), per: timescale),
      isSync: true, payload: Extent(source, taken.range))
    coded.number = first.index
    coded.count = taken.count
    return .sample(coded)
  }

  /// What was wrong with the samples so far, in words.
  var repairs: [String] {
    var found: [String] = []
    if emptyCount > 0 {
      let samples = emptyCount == 1 ? "1 sample has" : "\(emptyCount) samples have"
      found.append("\(path): \(samples) no bytes, which leaves nothing to pass on")
    }
    if let firstTorn {
      let others =
        tornCount == 1
        ? " ends inside a NAL unit; it is passed on as it is"
        : " and \(tornCount - 1) more end inside a NAL unit; they are passed on as they are"
      found.append("\(path): sample \(firstTorn.number) at byte \(firstTorn.offset)\(others)")
    }
    return found
  }

  private static let mostMoments = 1024

  func moved(_ time: Int64, by more: Int64) throws -> RationalTime {
    let (sum, overflow) = time.addingReportingOverflow(shift)
    let (result, beyond) = sum.addingReportingOverflow(more)
    guard !overflow, !beyond, result.magnitude < 1 << 62 else {
      throw MediaError(
        .invalid, of: .part("media_time"), "moves samples beyond 2^62", at: .byte(nil, in: path))
    }
    return RationalTime(result, per: timescale)
  }
}
