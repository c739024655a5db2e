// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// The samples that were found in a broken movie. Payloads stay in the file.
struct RecoveredSource: SampleSource, Sendable {
  /// The tracks of which samples were found.
  let tracks: [CodedTrack]
  private let source: any ByteSource
  private let samples: [[FoundSample]]
  private let times: [RecoveredTimes]
  /// The index of the next sample of each track.
  private var positions: [Int]
  private var queue = TimeQueue()

  /// - Parameters:
  ///   - tracks: the tracks, each with its samples, and with the times of some of them that do not follow from its rate.
  ///   - first: the index of the first sample of each track with which decoding can begin.
  init(
    _ source: any ByteSource,
    _ tracks: [(RecoverableTrack, [FoundSample], known: SoundClock.Times?)], first: [Int]
  ) {
    self.source = source
    self.tracks = tracks.map(\.0.coded)
    samples = tracks.map(\.1)
    times = tracks.map { RecoveredTimes($0.1, of: $0.0, known: $0.known) }
    positions = first
    for index in tracks.indices {
      if let time = time(of: index) { queue.insert(index, at: time) }
    }
  }

  private func time(of track: Int) -> RationalTime? {
    let index = positions[track]
    return samples[track].indices.contains(index)
      ? times[track].times(of: index, count: 1).decode : nil
  }

  mutating func next() throws -> SourceEvent? {
    guard let track = queue.first else { return nil }
    let found = samples[track][positions[track]]
    let (decode, shown, duration) = times[track].times(of: positions[track], count: found.count)
    var sample = CodedSample(
      track: track, decodeTime: decode, presentationTime: shown, duration: duration,
      isSync: found.isSync, payload: Extent(source, found.range))
    sample.count = found.count
    positions[track] += 1
    queue.replaceFirst(at: time(of: track))
    return .sample(sample)
  }
}
