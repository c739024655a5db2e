// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples

/// The samples that are kept of a part, followed by those of a run that continues after them.
struct ResumedSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  let details: MediaDetails
  private var kept: MovieSource?
  private let origin: RationalTime
  /// The index in the output and the end of the kept samples, for each track of the part; `nil` if none are kept.
  private let cuts: [(place: Int, end: RationalTime)?]
  /// Whether samples of the part have the numbers that they have in the input.
  private let isNumbered: Bool
  private var rest: ReportingSource

  init(
    _ part: KeptPart, _ cuts: [Int: TrackCut], isNumbered: Bool, places: [Int: Int],
    then rest: ReportingSource
  ) throws {
    tracks = rest.tracks
    details = rest.details
    kept = part.source
    origin = part.origin
    self.isNumbered = isNumbered
    self.rest = rest
    var found: [(place: Int, end: RationalTime)?] = []
    for (index, track) in part.source.tracks.enumerated() {
      guard let cut = cuts[part.place(of: index)], let place = places[part.place(of: index)],
        rest.tracks.indices.contains(place)
      else {
        found.append(nil)
        continue
      }
      let now = rest.tracks[place]
      guard now.timescale == track.timescale, try now.format.isSame(as: track.format) else {
        throw MediaError(
          .unsupported, of: .part(part.path),
          "cannot be continued: \(now.name) is now encoded differently, "
            + "perhaps by another version of the encoder",
          remedy: .restart)
      }
      found.append((place, cut.end))
    }
    self.cuts = found
  }

  var repairs: [String] { rest.repairs }

  mutating func next() throws -> SourceEvent? {
    while let event = try kept?.next() {
      guard case .sample(var sample) = event else {
        throw MediaError(
          .unsupported, of: .part("part"),
          "has a track that changes its format",
          remedy: .restart)
      }
      guard let cut = cuts[sample.track] else { continue }
      sample.track = cut.place
      sample.decodeTime = try sample.decodeTime.later(by: origin)
      guard sample.decodeTime.isBefore(cut.end) else { continue }
      sample.presentationTime = try sample.presentationTime.later(by: origin)
      if !isNumbered { sample.number = nil }
      return .sample(sample)
    }
    kept = nil
    return try rest.next()
  }
}
