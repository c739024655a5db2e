// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// The frame rates and durations of tracks, from their first samples.
struct RateSurvey: Sendable {
  private(set) var rates: [Fraction]
  /// The duration; `nil` if not all samples were read.
  private(set) var duration: RationalTime?
  /// The surveyed source, from its beginning.
  let source: any SampleSource & Sendable

  private static let usual: [(Int, Int)] =
    [(24, 1), (25, 1), (30, 1), (50, 1), (60, 1), (100, 1), (120, 1)]
    + [24000, 30000, 60000, 120_000].map { ($0, 1001) } + [(15, 1), (12, 1), (10, 1), (5, 1)]
  private static let most = 200_000
  /// The most pictures that are needed for the rate, and the most samples among which they are searched.
  private static let mostAwaited = (pictures: 16, samples: 200)
  private static let assumed = Fraction(25, 1)

  /// - Parameter source: a source whose copies produce the same samples again, unless it grows.
  init(_ source: any SampleSource & Sendable, isGrowing: Bool) throws {
    var ahead = source
    var spans = source.tracks.map { _ in Span() }
    var left = isGrowing ? Self.mostAwaited.samples : Self.most
    let video = source.tracks.indices.filter { source.tracks[$0].kind == .video }
    var passed: [SourceEvent] = []
    while left > 0, let event = try ahead.next() {
      if isGrowing { passed.append(event) }
      guard case .sample(let sample) = event else { continue }
      left -= 1
      spans[sample.track].add(sample)
      if isGrowing, video.allSatisfy({ spans[$0].count >= Self.mostAwaited.pictures }) { left = 0 }
    }
    rates = spans.map { $0.rate ?? Self.assumed }
    self.source = isGrowing ? RewoundSource(passed, then: ahead) : source
    let ends = zip(source.tracks, spans).filter { $0.0.kind == .video }.compactMap { $0.1.end }
    if left > 0 { duration = ends.max { $0.isBefore($1) } }
  }

  private struct Span {
    var first: RationalTime?
    var last: RationalTime?
    /// The time at which the last picture ends.
    var end: RationalTime?
    var count = 0

    mutating func add(_ sample: CodedSample) {
      if first == nil { first = sample.decodeTime }
      last = sample.decodeTime
      count += 1
      let shown = sample.presentationTime
      let length = sample.duration?.rounded(to: shown.timescale) ?? 0
      let over = RationalTime(shown.value &+ length, per: shown.timescale)
      if end?.isBefore(over) ?? true { end = over }
    }

    var rate: Fraction? {
      guard count > 1, let first, let last, first.timescale == last.timescale else { return nil }
      let (length, overflow) = last.value.subtractingReportingOverflow(first.value)
      guard !overflow, length > 0 else { return nil }
      let measured = Double(count - 1) * Double(first.timescale) / Double(length)
      // Times in milliseconds limit the precision.
      let tolerance = max(0.0005, 1 / Double(length))
      let off = usual.map { abs(Double($0.0) / Double($0.1) / measured - 1) }
      if let near = off.indices.min(by: { off[$0] < off[$1] }), off[near] < tolerance {
        return Fraction(usual[near].0, usual[near].1)
      }
      guard measured > 0.01, measured < 1000 else { return nil }
      return Fraction(Int((measured * 1000).rounded()), 1000)
    }
  }
}

/// A source with the events that were read already put back at its beginning.
private struct RewoundSource: SampleSource, Sendable {
  private var passed: [SourceEvent]
  private var rest: any SampleSource & Sendable

  init(_ passed: [SourceEvent], then rest: any SampleSource & Sendable) {
    self.passed = passed.reversed()
    self.rest = rest
  }

  var tracks: [CodedTrack] { rest.tracks }
  var details: MediaDetails { rest.details }
  var repairs: [String] { rest.repairs }

  mutating func next() throws -> SourceEvent? {
    if let event = passed.popLast() { return event }
    return try rest.next()
  }
}
