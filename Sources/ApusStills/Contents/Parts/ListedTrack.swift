// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

/// A track of a photo file or of a movie, in a list of contents.
public struct ListedTrack: Sendable {
  /// The ID of the track in its movie.
  public let id: UInt32
  /// The handler, such as `vide`, `soun` or `pict`.
  public let handler: FourCC?
  /// The types of its sample entries.
  public let types: [FourCC]

  init(_ track: Track) {
    id = track.id
    handler = track.handler
    types = track.sampleEntries.map(\.type)
  }
}
