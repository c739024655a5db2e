// SPDX-License-Identifier: MIT

/// A title, an author or the like set by the user.
public struct TagChange: Hashable, Sendable {
  /// The name as used by FFmpeg and `apus info` (`title`, `artist`, `date` …), or any other where names are free.
  public var name: String
  /// The value; empty to remove the tag.
  public var value: String

  /// Creates a change; an empty value removes the tag.
  public init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }

  /// Whether it is not a tag but a fact about the container itself.
  public var isOfContainer: Bool { MovieTags.own.contains(name.lowercased()) }

  /// Returns whether a tag of this name is the one to be changed; Apple's names have a prefix.
  package func concerns(_ name: String) -> Bool {
    let (mine, other) = (self.name.lowercased(), name.lowercased())
    return mine == other || "com.apple.quicktime." + mine == other
  }
}
