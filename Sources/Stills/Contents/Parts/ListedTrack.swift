// SPDX-License-Identifier: MIT

public import Bytes
internal import ISOBMFF

/// A track of a file of photos, or of a movie, in a list of what the file holds.
public struct ListedTrack: Sendable {
  public let id: UInt32
  /// `vide`, `soun`, `pict` …
  public let handler: FourCC?
  /// The types of its sample entries.
  public let types: [FourCC]

  init(_ track: Track) {
    id = track.id
    handler = track.handler
    types = track.sampleEntries.map(\.type)
  }
}
