// SPDX-License-Identifier: MIT

public import Bytes

/// A walk over the samples of a track that reads the tables as it goes and keeps none of them.
public struct SampleCursor: Sendable {
  private enum Stage: Sendable {
    case start
    case table(SampleTableCursor)
    case fragments(FragmentCursor)
    case end
  }

  private let track: Track
  private var stage = Stage.start
  private var index = 0
  /// Where the next sample begins when nothing else says when.
  private var decodeTime: Int64 = 0

  init(_ track: Track) { self.track = track }

  /// The next sample in decoding order, `nil` after the last. Tables that contradict each other end the
  /// walk with an error that names the table; after it nothing follows.
  public mutating func next() throws(SyntaxError) -> TrackSample? {
    let current = stage
    stage = .end
    guard let found = try advance(current) else { return nil }
    index += 1
    decodeTime = found.decodeTime + found.duration
    return found
  }

  private mutating func advance(_ current: Stage) throws(SyntaxError) -> TrackSample? {
    switch current {
    case .start:
      guard let table = track.sampleTable else { return try fragments() }
      return try advance(.table(try SampleTableCursor(table)))
    case .table(var cursor):
      guard let sample = try cursor.next(index, at: decodeTime) else { return try fragments() }
      stage = .table(cursor)
      return sample
    case .fragments(var cursor):
      guard let sample = try cursor.next(index, at: decodeTime) else { return nil }
      stage = .fragments(cursor)
      return sample
    case .end: return nil
    }
  }

  private mutating func fragments() throws(SyntaxError) -> TrackSample? {
    try advance(.fragments(FragmentCursor(track)))
  }
}
