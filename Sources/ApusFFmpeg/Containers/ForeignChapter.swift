// SPDX-License-Identifier: MIT

public import ApusMedia

/// A named stretch of a container's presentation.
public struct ForeignChapter: Hashable, Sendable {
  /// The time at which it begins.
  public var start: RationalTime
  /// The time at which it ends; `nil` if the next chapter ends it.
  public var end: RationalTime?
  /// The title; empty if it has none.
  public var title: String

  /// Creates a chapter.
  public init(start: RationalTime, end: RationalTime?, title: String) {
    (self.start, self.end, self.title) = (start, end, title)
  }
}

/// A name and a value, as returned by libavformat.
public struct ForeignTag: Hashable, Sendable {
  /// The name as libavformat uses it, such as `artist`.
  public var name: String
  /// The value as text.
  public var value: String

  /// Creates a tag.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
