// SPDX-License-Identifier: MIT

internal import ApusBytes

/// An event of a source; events come in the order in which an output should write them.
public enum SourceEvent: Sendable {
  case sample(CodedSample)
  /// The following samples of this track have another format.
  case format(track: Int, CodedTrack.Format)
}

/// An input that is pulled: tracks first, then samples interleaved by decoding time, which increases within each track.
///
/// `next` blocks if the input is a pipe or a growing file. Times may begin anywhere, also below 0.
public protocol SampleSource: ~Copyable {
  /// The tracks, known from the start; `SourceEvent.format` announces later changes of their formats.
  var tracks: [CodedTrack] { get }
  /// The metadata of the input as a whole.
  var details: MediaDetails { get }
  /// The faults of the samples so far that were repaired, as text.
  var repairs: [String] { get }
  /// The bytes of a damaged file so far that belong to none of its parts, in the order of the file.
  var unread: [Range<Int>] { get }

  /// Returns the next event; `nil` after the last. Throws if the input is broken, and nothing follows then.
  mutating func next() throws -> SourceEvent?
}

extension SampleSource where Self: ~Copyable {
  /// No metadata, for sources that have none.
  public var details: MediaDetails { MediaDetails() }
  /// No repairs, for sources that make none.
  public var repairs: [String] { [] }
  /// No bytes, for sources that do not know them.
  public var unread: [Range<Int>] { [] }
}
