// SPDX-License-Identifier: MIT

/// A movie that will be written, beside its tracks.
public struct NewMovie: Sendable {
  /// Seconds since 1904; 0 where unknown.
  public var creationTime: UInt64 = 0
  /// What follows the tracks in `moov`: `udta`, `meta` and the like.
  public var boxes: [Node] = []

  public init() {}
}
