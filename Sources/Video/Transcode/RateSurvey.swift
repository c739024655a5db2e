// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import Media

/// How many pictures a second tracks have, and how long they are, by their first samples.
struct RateSurvey: Sendable {
  private(set) var rates: [Fraction]
  /// `nil` where there is more than was looked at.
  private(set) var duration: RationalTime?

  private static let usual: [(Int, Int)] =
    [(24, 1), (25, 1), (30, 1), (50, 1), (60, 1), (100, 1), (120, 1)]
    + [24000, 30000, 60000, 120_000].map { ($0, 1001) } + [(15, 1), (12, 1), (10, 1), (5, 1)]
  private static let most = 200_000
  private static let assumed = Fraction(25, 1)

  /// Of an input that can be read once only.
  init(growing source: any SampleSource & Sendable) {
    rates = source.tracks.map { _ in Self.assumed }
  }

  /// - Parameter source: one whose copies give the same samples again.
  init(_ source: any SampleSource & Sendable) throws(SyntaxError) {
    var ahead = source
    var spans = source.tracks.map { _ in Span() }
    var left = Self.most
    while left > 0, let event = try ahead.next() {
      guard case .sample(let sample) = event else { continue }
      left -= 1
      spans[sample.track].add(sample)
    }
    rates = spans.map { $0.rate ?? Self.assumed }
    let ends = zip(source.tracks, spans).filter { $0.0.kind == .video }.compactMap { $0.1.end }
    if left > 0 { duration = ends.max { $0.isBefore($1) } }
  }

  private struct Span {
    var first: RationalTime?
    var last: RationalTime?
    /// When the last picture has been shown.
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
      let near = usual.first { abs(Double($0.0) / Double($0.1) / measured - 1) < 0.0005 }
      if let near { return Fraction(near.0, near.1) }
      guard measured > 0.01, measured < 1000 else { return nil }
      return Fraction(Int((measured * 1000).rounded()), 1000)
    }
  }
}
