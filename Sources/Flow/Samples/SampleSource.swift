// SPDX-License-Identifier: MIT

internal import Bytes

/// What a source gives, in the order in which an output should write it.
public enum SourceEvent: Sendable {
  case sample(CodedSample)
  /// The samples of this track that follow are coded for another format.
  case format(track: Int, CodedTrack.Format)
}

/// An input that is pulled: tracks first, then samples interleaved by decoding time, rising within each track.
///
/// `next` blocks where the input is a pipe or a growing file. Times may begin anywhere, below 0 too.
public protocol SampleSource: ~Copyable {
  var tracks: [CodedTrack] { get }
  /// What it says of the whole.
  var details: MediaDetails { get }
  /// What was wrong with the samples so far and made good, as text.
  var repairs: [String] { get }

  /// Returns `nil` after the last; what is broken in the input throws, and nothing follows it.
  mutating func next() throws -> SourceEvent?
}

extension SampleSource where Self: ~Copyable {
  public var details: MediaDetails { MediaDetails() }
  public var repairs: [String] { [] }
}
