// SPDX-License-Identifier: MIT

public import ApusMedia

/// A named stretch of a container's presentation.
public struct ForeignChapter: Hashable, Sendable {
  public var start: RationalTime
  public var end: RationalTime?
  public var title: String

  public init(start: RationalTime, end: RationalTime?, title: String) {
    (self.start, self.end, self.title) = (start, end, title)
  }
}

/// A name and a value, as returned by libavformat.
public struct ForeignTag: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
