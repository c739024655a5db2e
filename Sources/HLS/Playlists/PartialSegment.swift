// SPDX-License-Identifier: MIT

public import ApusMedia

/// A part of a segment that players can load before the segment is complete (`EXT-X-PART`): RFC 8216bis, 4.4.4.9.
public struct PartialSegment: Hashable, Sendable {
  /// The path of the file, relative to the playlist.
  public var name: String
  /// The duration (`DURATION`).
  public var duration: RationalTime
  /// The range; `nil` if it is a whole file.
  public var range: PlaylistByteRange?
  /// Whether a frame in it can be decoded without others.
  public var isIndependent = false
  /// Whether it is announced but missing.
  public var isGap = false

  /// Creates a part that is a whole file.
  public init(_ name: String, duration: RationalTime) {
    self.name = name
    self.duration = duration
  }
}
