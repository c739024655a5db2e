// SPDX-License-Identifier: MIT

/// The properties of a new movie, other than its tracks.
public struct NewMovie: Sendable {
  /// The time in seconds since 1904; 0 if unknown.
  public var creationTime: UInt64 = 0
  /// The boxes after the tracks in `moov`: `udta`, `meta` and others.
  public var boxes: [Node] = []

  public init() {}
}
