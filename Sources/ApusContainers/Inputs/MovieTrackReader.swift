// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The samples of one track of a movie, in the times of the presentation. The description of the track is kept
/// elsewhere (`OpenedMovieTrack`), because a movie may have very many tracks.
struct MovieTrackReader: Sendable {
  /// The decoding time of the next sample.
  var time: RationalTime?
  /// The next sample, with the similar ones after it where samples are moments of sound.
  var pending: SampleRun?
  /// The rest of an earlier sample, which comes first.
  var begun: CodedSample?

  let kind: CodedTrack.Kind
  let clock: MediaClock
  let source: any ByteSource
  let formats: [Int: CodedTrack.Format]
  private var walk: SampleWalk
  /// The sample entry of the sample that was returned last, and of the track as it was announced.
  private var current: Int
  private(set) var format: CodedTrack.Format
  /// The number of samples that are whole, and of those that were walked.
  private let count: Int
  private var passed = 0
  /// Whether samples are moments of sound, of which there are tens of thousands per second.
  private let isUncompressed: Bool
  /// The number of samples without bytes, which are skipped.
  private var emptyCount = 0
  /// The number of samples that do not consist of whole NAL units, and the first of them.
  private var tornCount = 0
  private var firstTorn: (number: Int, offset: Int)?

  /// - Parameters:
  ///   - coded: the description of the track.
  ///   - formats: the formats of the sample entries that are in use.
  ///   - shift: the number of units that its edit list adds to a media time.
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

  /// Moves on to the next sample that holds anything; text samples may be empty on purpose.
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

  /// Returns the next sample of the track, or the format of the samples that follow.
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
      // A damaged sample cannot confirm that it is a key frame.
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

  /// Returns many moments of sound as one sample, as long as they are adjacent and of equal duration.
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

  /// Returns the places of the samples that are still to come; adjacent ones are combined.
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

  /// The faults in the samples so far, as text.
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
