// SPDX-License-Identifier: MIT

public import ApusBytes

/// A walk over the samples of a track that reads the tables incrementally and keeps none of them.
public struct SampleCursor: Sendable {
  private enum Stage: Sendable {
    case start, table, fragments, end
  }

  /// The location of the sample descriptions, for errors about the track.
  private let place: BoxPlace?
  private let start: Int
  private let mostSamples: Int
  /// The stage of the walk. A walk is large, and a file may have very many tracks: each stage is created when its first
  /// sample is requested, and only the current one exists. Each list holds at most one element, so that it is stored
  /// outside the cursor.
  private var stage = Stage.start
  private var sampleTable: [LocatedNode]
  private var places: [FragmentPlace]
  private var table: [SampleTableCursor] = []
  private var fragments: [FragmentCursor] = []
  private var index = 0
  /// Contradictions among the samples so far, none of which prevents finding them, as text.
  public private(set) var contradictions: [String] = []
  /// The number of fragments that did not begin at the end of the previous one, and the sum of the differences in
  /// units; known after the last sample.
  public private(set) var gaps = (count: 0, units: Int64(0))
  /// The decoding time of the next sample, unless it is stated elsewhere.
  private var decodeTime: Int64 = 0

  init(_ track: Track) {
    place = track.located.place
    start = track.located.node.start
    mostSamples = track.mostSamples
    sampleTable = track.sampleTable.map { [$0] } ?? []
    places = track.fragments
  }

  /// Returns the next sample in decoding order, or `nil` after the last. If tables contradict each other, or announce
  /// more than the file can contain, the walk ends with an error that names the table.
  public mutating func next() throws(SyntaxError) -> TrackSample? {
    try nextRun(upTo: 1)?.first
  }

  /// Returns the next sample together with the following ones that are equal to it: adjacent in one chunk, with the
  /// same size, duration, composition offset and sync flag. If equality cannot be known in advance, the run has one
  /// sample. Uncompressed sound, in which each sample is one frame, is thus walked in chunks.
  ///
  /// - Parameter most: the maximum number of samples, at least 1.
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

  /// Ends the walk, and frees its resources.
  public mutating func end() {
    stage = .end
    (sampleTable, places, table, fragments) = ([], [], [], [])
  }
}
