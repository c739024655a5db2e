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
    do throws(SyntaxError) {
      guard let found = try advance() else { return nil }
      guard index < track.mostSamples else {
        throw SyntaxError(
          .limit, field: "trak", path: track.path, offset: track.located.node.start,
          detail: "announces more than \(track.mostSamples) samples, which the file cannot hold")
      }
      index += 1
      decodeTime = found.decodeTime + found.duration
      return found
    } catch {
      stage = .end
      throw error
    }
  }

  private mutating func advance() throws(SyntaxError) -> TrackSample? {
    if stage == .start {
      table = try track.sampleTable.map { box throws(SyntaxError) in try SampleTableCursor(box) }
      stage = .table
    }
    if stage == .table {
      if let sample = try table?.next(index, at: decodeTime) { return sample }
      table = nil
      fragments = FragmentCursor(track)
      stage = .fragments
    }
    if stage == .fragments {
      if let sample = try fragments?.next(index, at: decodeTime) { return sample }
      fragments = nil
      stage = .end
    }
    return nil
  }
}
