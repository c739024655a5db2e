// SPDX-License-Identifier: MIT

public import ISOBMFF
public import Media

/// What an input says of itself as a whole, beside its tracks.
public struct MediaDetails: Sendable {
  /// Titles, authors and the like, by the names that FFmpeg gives them (`title`, `artist`, `creation_time` …), in
  /// the order of the input.
  public var tags: [(name: String, value: String)] = []
  /// The chapters, in the order of their times.
  public var chapters: [Chapter] = []
  /// The time of creation in seconds since 1904, as movies count; `nil` where unknown.
  public var creationTime: UInt64?
  /// Boxes of a movie that another movie takes over as they are: `udta`, `meta` and the like.
  public var boxes: [Node] = []
  /// Paths of boxes that no other file can take over.
  package var refused: [String] = []

  public init() {}
}

/// A stretch of a presentation that has a name.
public struct Chapter: Hashable, Sendable {
  public var start: RationalTime
  /// The end; `nil` where the next chapter ends it.
  public var end: RationalTime?
  public var title: String

  public init(start: RationalTime, end: RationalTime? = nil, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }
}
