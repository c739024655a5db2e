// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Sources with the same tracks, one after the other. Where decoding of one would begin before that of the previous one
/// ends, its decoding times are delayed so that they increase; presentation times do not change.
package struct ChainedSource: SampleSource, Sendable {
  package let tracks: [CodedTrack]
  package let details: MediaDetails
  private var sources: [any SampleSource & Sendable]
  private var place = 0
  /// The current format of the samples of each track.
  private var current: [CodedTrack.Format]
  /// Formats of the source that begins, where they differ.
  private var formats: [SourceEvent] = []
  /// The decoding time of the last sample of each track.
  private var lasts: [RationalTime?]

  /// - Parameters:
  ///   - sources: at least one, with tracks of the same kinds; their times are already those of the whole.
  ///   - tracks: the description of the tracks; by default that of the first source.
  package init(
    _ sources: [any SampleSource & Sendable], tracks: [CodedTrack]? = nil,
    details: MediaDetails = MediaDetails()
  ) {
    self.tracks = tracks ?? sources.first?.tracks ?? []
    self.details = details
    self.sources = sources
    current = self.tracks.map(\.format)
    lasts = self.tracks.map { _ in nil }
  }

  package var repairs: [String] { sources.flatMap(\.repairs) }

  package mutating func next() throws -> SourceEvent? {
    while place < sources.count {
      if let format = formats.popLast() { return format }
      if let event = try sources[place].next() {
        switch event {
        case .sample(let sample): return .sample(risen(sample))
        case .format(let track, let format): current[track] = format
        }
        return event
      }
      place += 1
      guard place < sources.count else { return nil }
      for (index, track) in sources[place].tracks.enumerated()
      where try !track.format.isSame(as: current[index]) {
        current[index] = track.format
        formats.append(.format(track: index, track.format))
      }
    }
    return nil
  }

  private mutating func risen(_ sample: CodedSample) -> CodedSample {
    var sample = sample
    // Sample numbers, and information that refers to them, are only valid within one source.
    if place > 0 { sample.number = nil }
    let unit = sample.decodeTime.timescale
    if let last = lasts[sample.track]?.rounded(to: unit), sample.decodeTime.value <= last {
      sample.decodeTime.value = min(last &+ 1, max(sample.presentationTime.value, last))
    }
    lasts[sample.track] = sample.decodeTime
    return sample
  }
}
