// SPDX-License-Identifier: MIT

/// An edit list as another movie had it.
public struct NewEdits: Sendable {
  public var list: [EditList.Edit]
  /// Units of `segment_duration` in a second.
  public var movieTimescale: UInt32
  /// What was added to a media time there to make the time of a sample.
  public var shift: Int64

  public init(_ list: [EditList.Edit], movieTimescale: UInt32, shift: Int64) {
    self.list = list
    self.movieTimescale = movieTimescale
    self.shift = shift
  }
}
