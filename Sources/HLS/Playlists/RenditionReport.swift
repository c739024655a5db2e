// SPDX-License-Identifier: MIT

/// The current position of another rendition's playlist (`EXT-X-RENDITION-REPORT`): RFC 8216bis, 4.4.5.4.
public struct RenditionReport: Hashable, Sendable {
  /// The name of the other playlist, relative to this one.
  public var name: String
  /// The number of its last segment, which may be incomplete.
  public var lastSegment: Int?
  /// The number of the last part in it, from 0.
  public var lastPart: Int?

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - name: the name of the other playlist, relative to this one.
  ///   - lastSegment: the number of its last segment.
  ///   - lastPart: the number of the last part in that segment, from 0.
  public init(_ name: String, lastSegment: Int? = nil, lastPart: Int? = nil) {
    self.name = name
    self.lastSegment = lastSegment
    self.lastPart = lastPart
  }
}
