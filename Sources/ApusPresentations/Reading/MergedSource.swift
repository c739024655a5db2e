// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// The tracks of several sources that are played together, by decoding time.
struct MergedSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  private var sources: [any SampleSource & Sendable]
  /// The next event of each source, once it was requested.
  private var ahead: [SourceEvent?]
  private var isStarted = false
  /// The index of the first track of each.
  private let firsts: [Int]

  init(_ sources: [any SampleSource & Sendable], tracks: [CodedTrack]) {
    self.sources = sources
    self.tracks = tracks
    ahead = sources.map { _ in nil }
    var first = 0
    firsts = sources.map { source in
      defer { first += source.tracks.count }
      return first
    }
  }

  var repairs: [String] { sources.flatMap(\.repairs) }

  mutating func next() throws -> SourceEvent? {
    if !isStarted {
      isStarted = true
      for index in sources.indices { ahead[index] = try sources[index].next() }
    }
    var chosen: Int?
    var earliest: RationalTime?
    for (index, event) in ahead.enumerated() {
      guard let event else { continue }
      guard case .sample(let sample) = event else {
        chosen = index
        break
      }
      if earliest.map({ sample.decodeTime.isBefore($0) }) ?? true {
        earliest = sample.decodeTime
        chosen = index
      }
    }
    guard let chosen, let event = ahead[chosen] else { return nil }
    ahead[chosen] = try sources[chosen].next()
    switch event {
    case .format(let track, let format): return .format(track: firsts[chosen] + track, format)
    case .sample(var sample):
      sample.track += firsts[chosen]
      return .sample(sample)
    }
  }
}
