// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

extension MediaInput {
  /// Concatenates inputs with matching tracks: no track of an input begins before all tracks of the previous one have
  /// ended. Parameter sets and other details of the formats may differ.
  ///
  /// - Parameter inputs: at least one, with the name used in messages; each is read once in advance for its times.
  public static func joining(_ inputs: [(name: String, media: MediaInput)]) throws -> MediaInput {
    guard let first = inputs.first else {
      throw MediaError(.misuse, of: .part("inputs"), "to be joined are missing")
    }
    var warnings = first.media.warnings
    var (tracks, details) = (first.media.source.tracks, first.media.source.details)
    try check(tracks, first.name)
    var sources = [first.media.source]
    var ends = try Span.spans(of: first.media.source)
    for (name, media) in inputs.dropFirst() {
      let added = media.source.tracks
      guard !media.isGrowing, !first.media.isGrowing else {
        throw MediaError(.misuse, of: .part(name), "is a live input and cannot be joined")
      }
      try check(added, name)
      if let difference = difference(tracks, added) {
        throw MediaError(
          .unsupported, of: .part(name),
          "cannot follow \(first.name): \(difference); only matching tracks can be joined")
      }
      let spans = try Span.spans(of: media.source)
      let shift = zip(ends, spans).map { $0.end - $1.start }.max() ?? 0
      sources.append(
        SelectedSource(
          media.source, indices: Array(added.indices),
          origin: RationalTime(-shift, per: Span.unit)))
      ends = spans.map { $0.moved(by: shift) }
      warnings += media.warnings
      for (index, track) in added.enumerated() {
        tracks[index].details.sampleEntries += track.details.sampleEntries
      }
      let more = media.source.details
      details.chapters += more.chapters.map { $0.moved(by: RationalTime(-shift, per: Span.unit)) }
      if more.tags.contains(where: { tag in !details.tags.contains { $0 == tag } }) {
        warnings.append("\(name): its title and other tags are replaced by those of \(first.name)")
      }
    }
    // Sample groups and edit lists count the samples of one input.
    if inputs.count > 1 {
      if tracks.contains(where: { $0.details.movie?.groupings.isEmpty == false }) {
        warnings.append("\(first.name): its sample groups are left out")
      }
      for index in tracks.indices {
        tracks[index].details.movie?.groupings = []
        tracks[index].details.movie?.edits = nil
      }
    }
    let source = ChainedSource(sources, tracks: tracks, details: details)
    return MediaInput(first.media.kind, source, warnings)
  }

  /// Throws if tracks other than video and sound have edit lists, which are carried over rather than applied.
  private static func check(_ tracks: [CodedTrack], _ name: String) throws {
    let names = tracks.names
    for (track, label) in zip(tracks, names)
    where track.kind != .video && track.kind != .audio && track.details.movie?.edits != nil {
      throw MediaError(
        .unsupported, of: .part(name),
        "cannot be joined: its \(label) has an edit list; choose other tracks")
    }
  }

  /// Returns the first difference between the tracks of two inputs as text; `nil` if they can be joined.
  private static func difference(_ mine: [CodedTrack], _ others: [CodedTrack]) -> String? {
    let (names, otherNames) = (mine.names, others.names)
    guard mine.map(\.name) == others.map(\.name) else {
      return "it has \(otherNames.joined(separator: ", ")), not \(names.joined(separator: ", "))"
    }
    for (index, (one, other)) in zip(mine, others).enumerated() {
      let facts: [(what: String, String, String)] = [
        ("a size", "\(one.width)x\(one.height)", "\(other.width)x\(other.height)"),
        ("a rotation or place", "\(one.matrix)", "\(other.matrix)"),
        ("a sample rate", "\(one.sampleRate)", "\(other.sampleRate)"),
        ("a number of channels", "\(one.channels)", "\(other.channels)"),
      ]
      for fact in facts where fact.1 != fact.2 {
        return fact.what == "a rotation or place"
          ? "its \(names[index]) has another rotation or position"
          : "its \(names[index]) has \(fact.what) of \(fact.2), not \(fact.1)"
      }
    }
    return nil
  }

  /// The time from the first presentation of a track to the end of the last, in nanoseconds.
  private struct Span {
    static let unit: UInt32 = 1_000_000_000
    var start: Int64
    var end: Int64

    func moved(by shift: Int64) -> Span { Span(start: start + shift, end: end + shift) }

    static func spans(of source: any SampleSource & Sendable) throws -> [Span] {
      var source = source
      var spans: [Span?] = source.tracks.map { _ in nil }
      var decoded: [Int64?] = source.tracks.map { _ in nil }
      while let event = try source.next() {
        guard case .sample(let sample) = event else { continue }
        guard let shown = sample.presentationTime.rounded(to: unit),
          let time = sample.decodeTime.rounded(to: unit), shown.magnitude < 1 << 61
        else {
          throw MediaError(.invalid, of: .part("presentation time"), "is out of range")
        }
        let step = time - (decoded[sample.track] ?? time)
        decoded[sample.track] = time
        let end = shown + max(0, sample.duration?.rounded(to: unit) ?? step)
        let known = spans[sample.track] ?? Span(start: shown, end: end)
        spans[sample.track] = Span(start: min(known.start, shown), end: max(known.end, end))
      }
      let all = spans.compactMap(\.self)
      let whole = Span(start: all.map(\.start).min() ?? 0, end: all.map(\.end).max() ?? 0)
      return spans.map { $0 ?? whole }
    }
  }
}
