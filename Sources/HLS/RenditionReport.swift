// SPDX-License-Identifier: MIT

/// How far the playlist of another rendition has come (`EXT-X-RENDITION-REPORT`): RFC 8216bis, 4.4.5.4.
public struct RenditionReport: Hashable, Sendable {
  /// The name of the other playlist, seen from this one.
  public var name: String
  /// The number of its last segment, which may not be whole yet.
  public var lastSegment: Int?
  /// The number of the last part in it, from 0.
  public var lastPart: Int?

  public init(_ name: String, lastSegment: Int? = nil, lastPart: Int? = nil) {
    self.name = name
    self.lastSegment = lastSegment
    self.lastPart = lastPart
  }
}
