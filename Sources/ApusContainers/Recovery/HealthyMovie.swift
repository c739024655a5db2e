// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// A whole movie of the camera that wrote the broken one: its sample entries, rates and the order of its chunks.
struct HealthyMovie {
  /// The tracks, with the structure of their samples.
  private(set) var tracks: [RecoverableTrack] = []
  /// The order of its chunks.
  private(set) var order: ChunkOrder
  /// The sound as a clock, if the pictures have no constant rate.
  private(set) var clock: SoundClock?
  private(set) var warnings: [String] = []

  /// The samples of a track that are adjacent in the file.
  private struct Chunk {
    var track: Int
    var range: Range<Int>
    var count: Int
    var time: Double
  }

  init(_ source: any ByteSource, limits: Limits) throws {
    let movie: MovieSource
    do {
      movie = try MovieSource(source, limits: limits)
    } catch {
      throw MediaError(error).inside("the healthy movie: ")
    }
    let starts = try Self.starts(of: movie)
    let boxes = Dictionary(
      Movie(try BoxTree(reading: source, limits: limits)).tracks.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    var chunks: [Chunk] = []
    for (index, coded) in movie.tracks.enumerated() {
      guard let track = boxes[movie.trackIDs[index]] else { continue }
      var survey = TrackSurvey(track, index, coded, in: source)
      chunks += try survey.chunks().map {
        Chunk(track: index, range: $0.range, count: $0.count, time: $0.time)
      }
      let found = try survey.track(
        start: starts[index].shown, lead: starts[index].lead, limits: limits)
      if case .unknown = found.structure {
        warnings.append("samples of \(coded.name) have no structure that can be searched for")
      }
      tracks.append(found)
    }
    chunks.sort { $0.range.lowerBound < $1.range.lowerBound }
    for chunk in chunks {
      tracks[chunk.track].chunkSizes.insert(chunk.range.count)
      tracks[chunk.track].chunkCounts.append(chunk.count)
    }
    order = ChunkOrder(tracks)
    order.learn(from: chunks.map { ($0.track, $0.count) })
    if let clock = SoundClock(tracks, chunks.map { ($0.track, $0.count, $0.time) }) {
      if clock.isBetter { self.clock = clock }
      let error = min(clock.error, clock.rateError)
      if error > Self.mostError {
        warnings.append(
          "pictures have no constant rate: their times may be wrong by \(Int(error * 1000)) ms")
      }
    }
  }

  /// The deviation of picture from sound that nobody notices, in seconds.
  private static let mostError = 0.02

  /// Returns the time at which each track begins, and by which decoding begins before, in units of its timescale.
  private static func starts(of movie: MovieSource) throws -> [(shown: Int64, lead: Int64)] {
    var movie = movie
    var earliest: [Int64?] = movie.tracks.map { _ in nil }
    var decoded: [Int64] = movie.tracks.map { _ in 0 }
    var counts = movie.tracks.map { _ in 0 }
    while counts.contains(where: { $0 < OutputOrder.most }), let event = try movie.next() {
      guard case .sample(let sample) = event else { continue }
      if counts[sample.track] == 0 { decoded[sample.track] = sample.decodeTime.value }
      counts[sample.track] += 1
      let time = sample.presentationTime.value
      if counts[sample.track] <= OutputOrder.most * 2 {
        earliest[sample.track] = min(earliest[sample.track] ?? time, time)
      }
    }
    return zip(earliest, decoded).map { ($0 ?? 0, ($0 ?? 0) &- $1) }
  }
}
