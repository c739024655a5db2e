// SPDX-License-Identifier: MIT

/// An edit list taken from another movie.
public struct NewEdits: Sendable {
  /// The rows of the list, with the media times of the other movie.
  public var list: [EditList.Edit]
  /// The units per second of `segment_duration`.
  public var movieTimescale: UInt32
  /// The amount that was added to the other movie's media times to obtain sample times.
  public var shift: Int64

  /// Creates an edit list from the rows of another movie.
  public init(_ list: [EditList.Edit], movieTimescale: UInt32, shift: Int64) {
    self.list = list
    self.movieTimescale = movieTimescale
    self.shift = shift
  }
}
