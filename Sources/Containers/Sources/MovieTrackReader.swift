// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import ISOBMFF
internal import Media

/// The samples of one track of a movie, in the times of the presentation. What the track is, is said elsewhere
/// (`OpenedMovieTrack`), for a movie may have very many.
struct MovieTrackReader: Sendable {
  /// When the next sample is decoded.
  var time: RationalTime?
  /// The next sample, with those like it where samples are moments of sound.
  var pending: SampleRun?
  /// The rest of a sample that comes before that.
  var begun: CodedSample?

  let kind: CodedTrack.Kind
  let clock: MediaClock
  let source: any ByteSource
  let formats: [Int: CodedTrack.Format]
  private var walk: SampleWalk
  /// The sample entry of the sample that was handed over last, and of the track as it was announced.
  private var current: Int
  private(set) var format: CodedTrack.Format
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
    clock = MediaClock(
      timescale: coded.timescale, shift: shift, lead: survey.lead, path: track.path)
    format = coded.format
    self.source = source
    self.formats = formats
    walk = SampleWalk(track, survey)
    count = survey.count
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
    time = nil
    if let decodeTime = pending?.first.decodeTime { time = try clock.decoding(decodeTime) }
  }

  /// What comes next of the track: a sample, or the format of the samples from here on.
  mutating func next(as index: Int) throws -> SourceEvent? {
    if begun != nil { return try nextBegun(as: index) }
    guard let run = pending, let time else { return nil }
    let sample = run.first
    if sample.descriptionIndex != current {
      guard let format = formats[sample.descriptionIndex] else {
        throw SyntaxError(
          .invalid, field: "sample_description_index", path: clock.path, offset: sample.offset,
          detail: "is \(sample.descriptionIndex), which is not a sample entry")
      }
      current = sample.descriptionIndex
      self.format = format
      return .format(track: index, format)
    }
    if isUncompressed { return try takeMoments(from: run, at: time, as: index) }
    let payload = Extent(source, sample.range)
    let units = try format.units(of: payload, said: sample.isSync)
    if !units.isWhole {
      if firstTorn == nil { firstTorn = (sample.index + 1, sample.offset) }
      tornCount += 1
    }
    var coded = CodedSample(
      track: index, decodeTime: time,
      presentationTime: try clock.presentation(sample.compositionTime),
      duration: RationalTime(sample.duration, per: clock.timescale),
      // What is torn says nothing of itself.
      isSync: units.isWhole ? units.isSync : sample.isSync, payload: payload)
    coded.number = sample.index
    if units.isWhole { coded.hasParameterSets = units.hasParameterSets }
    try advance()
    return .sample(coded)
  }

  private mutating func nextBegun(as index: Int) throws -> SourceEvent? {
    guard var begun else { return nil }
    begun.track = index
    self.begun = nil
    try settleTime()
    return .sample(begun)
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
      presentationTime: try clock.presentation(first.compositionTime),
      duration: RationalTime(first.duration * Int64(taken.count), per: clock.timescale),
      isSync: true, payload: Extent(source, taken.range))
    coded.number = first.index
    coded.count = taken.count
    return .sample(coded)
  }

  /// The places of the samples that are still to come, of which those that follow each other are one.
  func ranges() throws -> [Range<Int>] {
    var (ahead, left) = (walk, count - passed)
    var ranges: [Range<Int>] = []
    while left > 0, let run = try ahead.nextRun(upTo: left) {
      left -= run.count
      if let last = ranges.last, last.upperBound == run.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<run.range.upperBound
      } else if !run.range.isEmpty {
        ranges.append(run.range)
      }
    }
    return ranges
  }

  /// What was wrong with the samples so far, as text.
  var repairs: [String] {
    let path = clock.path
    var found: [String] = []
    if emptyCount > 0 {
      let samples = emptyCount == 1 ? "1 sample has" : "\(emptyCount) samples have"
      found.append("\(path): \(samples) no bytes, which leaves nothing to pass on")
    }
    if let firstTorn {
      let others =
        tornCount == 1
        ? " ends inside a NAL unit; it is copied unchanged"
        : " and \(tornCount - 1) more end inside a NAL unit; they are copied unchanged"
      found.append("\(path): sample \(firstTorn.number) at byte \(firstTorn.offset)\(others)")
    }
    return found
  }

  private static let mostMoments = 1024
}
