// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import Media

/// Sources with the same tracks, one after the other. Where decoding of one begins before that of the one ahead is
/// over, it begins later: decoding times rise, and presentation stays.
struct ChainedSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  private var sources: [any SampleSource & Sendable]
  private var place = 0
  /// Formats of the source that begins.
  private var formats: [SourceEvent] = []
  /// When the last sample of each track is decoded.
  private var lasts: [RationalTime?]

  /// - Parameter sources: at least one; times are those of all together by now.
  init(_ sources: [any SampleSource & Sendable]) throws {
    tracks = sources.first?.tracks ?? []
    self.sources = sources
    lasts = tracks.map { _ in nil }
    for source in sources where source.tracks.map(\.kind) != tracks.map(\.kind) {
      throw MediaError(
        .unsupported, of: .part("EXT-X-DISCONTINUITY"),
        "changes which tracks there are: \(tracks.map(\.name)), then "
          + "\(source.tracks.map(\.name))")
    }
  }

  mutating func next() throws -> SourceEvent? {
    while place < sources.count {
      if let format = formats.popLast() { return format }
      if let event = try sources[place].next() {
        guard case .sample(let sample) = event else { return event }
        return .sample(risen(sample))
      }
      place += 1
      guard place < sources.count else { return nil }
      formats = sources[place].tracks.enumerated().map { .format(track: $0, $1.format) }
    }
    return nil
  }

  private mutating func risen(_ sample: CodedSample) -> CodedSample {
    var sample = sample
    let unit = sample.decodeTime.timescale
    if let last = lasts[sample.track]?.rounded(to: unit), sample.decodeTime.value <= last {
      sample.decodeTime.value = min(last &+ 1, max(sample.presentationTime.value, last))
    }
    lasts[sample.track] = sample.decodeTime
    return sample
  }
}
