// SPDX-License-Identifier: MIT

internal import Bytes

/// Sources with the same tracks, one after the other.
struct ChainedSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  private var sources: [any SampleSource & Sendable]
  private var place = 0
  /// Formats of the source that begins.
  private var formats: [SourceEvent] = []

  /// - Parameter sources: at least one; times are those of all together by now.
  init(_ sources: [any SampleSource & Sendable]) throws(SyntaxError) {
    tracks = sources.first?.tracks ?? []
    self.sources = sources
    for source in sources where source.tracks.map(\.kind) != tracks.map(\.kind) {
      throw SyntaxError(
        .unsupported, field: "EXT-X-DISCONTINUITY", offset: 0,
        detail: "changes which tracks there are: \(tracks.map(\.name)), then "
          + "\(source.tracks.map(\.name))")
    }
  }

  mutating func next() throws(SyntaxError) -> SourceEvent? {
    while place < sources.count {
      if let format = formats.popLast() { return format }
      if let event = try sources[place].next() { return event }
      place += 1
      guard place < sources.count else { return nil }
      formats = sources[place].tracks.enumerated().map { .format(track: $0, $1.format) }
    }
    return nil
  }
}
