// SPDX-License-Identifier: MIT

public import Bytes

/// A walk over the samples of a track that reads the tables as it goes and keeps none of them.
public struct SampleCursor: Sendable {
  private enum Stage: Sendable {
    case start, table, fragments, end
  }

  /// What an error says of the track, and where the samples are described.
  private let place: BoxPlace?
  private let start: Int
  private let mostSamples: Int
  /// The stage of the walk. A walk is large, and a file may have very many tracks: each is made when the first sample
  /// is asked for, and only the one that is under way is there. Each list holds one at most, so that it lies outside of
  /// the cursor.
  private var stage = Stage.start
  private var sampleTable: [LocatedNode]
  private var places: [FragmentPlace]
  private var table: [SampleTableCursor] = []
  private var fragments: [FragmentCursor] = []
  private var index = 0
  /// What is wrong with the samples so far, though each can be found, as text.
  public private(set) var contradictions: [String] = []
  /// How often a fragment did not begin when the one before it ended, and by how many units in all; known after the
  /// last sample.
  public private(set) var gaps = (count: 0, units: Int64(0))
  /// The decoding time of the next sample where nothing else states it.
  private var decodeTime: Int64 = 0

  init(_ track: Track) {
    place = track.located.place
    start = track.located.node.start
    mostSamples = track.mostSamples
    sampleTable = track.sampleTable.map { [$0] } ?? []
    places = track.fragments
  }

  /// The next sample in decoding order, `nil` after the last. Tables that contradict each other, or
  /// announce more than the file can hold, end the walk with an error that names the table; after it nothing follows.
  public mutating func next() throws(SyntaxError) -> TrackSample? {
    try nextRun(upTo: 1)?.first
  }

  /// The next sample with those after it that are like it: of one size in one chunk, each as long, shown as late
  /// and decodable as the other. Where only walking would tell it is one. So sound without compression, of which
  /// each sample is one moment, is walked by the chunk.
  ///
  /// - Parameter most: 1 and more.
  public mutating func nextRun(upTo most: Int) throws(SyntaxError) -> SampleRun? {
    do throws(SyntaxError) {
      let left = mostSamples - index
      guard let found = try advance(upTo: max(1, min(most, left))) else { return nil }
      guard left > 0 else {
        throw SyntaxError(
          .limit, field: "trak", path: place?.path ?? "", offset: start,
          detail: "announces more than \(mostSamples) samples, which the file cannot hold")
      }
      index += found.count
      decodeTime = found.first.decodeTime + found.first.duration * Int64(found.count)
      return found
    } catch {
      end()
      throw error
    }
  }

  private mutating func advance(upTo most: Int) throws(SyntaxError) -> SampleRun? {
    if stage == .start {
      if let box = sampleTable.first { table = [try SampleTableCursor(box)] }
      sampleTable = []
      stage = .table
    }
    if stage == .table {
      if !table.isEmpty, let run = try table[0].next(index, at: decodeTime, upTo: most) {
        return run
      }
      if !table.isEmpty { contradictions += try table[0].leftovers(after: index) }
      table = []
      if !places.isEmpty { fragments = [FragmentCursor(places)] }
      places = []
      stage = .fragments
    }
    if stage == .fragments {
      if !fragments.isEmpty, let run = try fragments[0].next(index, at: decodeTime, upTo: most) {
        return run
      }
      if let fragments = fragments.first { gaps = fragments.gaps }
      end()
    }
    return nil
  }

  /// Ends the walk, and frees everything that it needed.
  public mutating func end() {
    stage = .end
    (sampleTable, places, table, fragments) = ([], [], [], [])
  }
}
