// SPDX-License-Identifier: MIT

/// An edit list taken from another movie.
public struct NewEdits: Sendable {
  public var list: [EditList.Edit]
  /// The units per second of `segment_duration`.
  public var movieTimescale: UInt32
  /// The amount that was added to the other movie's media times to obtain sample times.
  public var shift: Int64

  public init(_ list: [EditList.Edit], movieTimescale: UInt32, shift: Int64) {
    self.list = list
    self.movieTimescale = movieTimescale
    self.shift = shift
  }
}
