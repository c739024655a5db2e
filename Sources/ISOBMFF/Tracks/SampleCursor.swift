// SPDX-License-Identifier: MIT

public import Bytes

/// A walk over the samples of a track that reads the tables as it goes and keeps none of them.
public struct SampleCursor: Sendable {
  private enum Stage: Sendable {
    case start, table, fragments, end
  }

  private let track: Track
  private var stage = Stage.start
  private var table: SampleTableCursor?
  private var fragments: FragmentCursor?
  private var index = 0
  /// Where the next sample begins when nothing else says when.
  private var decodeTime: Int64 = 0

  init(_ track: Track) { self.track = track }

  /// The next sample in decoding order, `nil` after the last. Tables that contradict each other, or
  /// announce more than the file can hold, end the walk with an error that names the table; after it nothing follows.
  public mutating func next() throws(SyntaxError) -> TrackSample? {
    try nextRun(upTo: 1)?.first
  }

  /// The next sample with those behind it that are like it: of one size in one chunk, each as long, shown as late
  /// and decodable as the other. Where only walking would tell it is one. So sound without compression, of which
  /// each sample is one moment, is walked by the chunk.
  ///
  /// - Parameter most: 1 and more.
  public mutating func nextRun(upTo most: Int) throws(SyntaxError) -> SampleRun? {
    do throws(SyntaxError) {
      let left = track.mostSamples - index
      guard let found = try advance(upTo: max(1, min(most, left))) else { return nil }
      guard left > 0 else {
        throw SyntaxError(
          .limit, field: "trak", path: track.path, offset: track.located.node.start,
          detail: "announces more than \(track.mostSamples) samples, which the file cannot hold")
      }
      index += found.count
      decodeTime = found.first.decodeTime + found.first.duration * Int64(found.count)
      return found
    } catch {
      stage = .end
      throw error
    }
  }

  private mutating func advance(upTo most: Int) throws(SyntaxError) -> SampleRun? {
    if stage == .start {
      table = try track.sampleTable.map { box throws(SyntaxError) in try SampleTableCursor(box) }
      stage = .table
    }
    if stage == .table {
      if let run = try table?.next(index, at: decodeTime, upTo: most) { return run }
      table = nil
      fragments = FragmentCursor(track)
      stage = .fragments
    }
    if stage == .fragments {
      if let run = try fragments?.next(index, at: decodeTime, upTo: most) { return run }
      fragments = nil
      stage = .end
    }
    return nil
  }
}
