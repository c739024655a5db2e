// SPDX-License-Identifier: MIT

internal import FLV

/// A title, an author or the like that a person sets.
public struct TagChange: Hashable, Sendable {
  /// The name as FFmpeg and `apus info` have it (`title`, `artist`, `date` …), or any other where names are free.
  public var name: String
  /// The value; empty to take the tag away.
  public var value: String

  public init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }

  /// Whether it is no tag but what a container says of itself.
  public var isOfContainer: Bool { MovieTags.own.contains(name.lowercased()) }

  /// Whether a tag of this name is the one that changes; Apple writes names of its own.
  func concerns(_ name: String) -> Bool {
    let (mine, other) = (self.name.lowercased(), name.lowercased())
    return mine == other || "com.apple.quicktime." + mine == other
  }
}

extension RemuxTarget {
  /// Whether it has a place for a tag.
  public func holds(_ change: TagChange) -> Bool {
    switch self {
    case .mp4, .mov, .fmp4, .mkv, .webm: true
    // The name of its program.
    case .ts: change.name.lowercased() == "title"
    case .flv: AMFObject.isTag(change.name)
    case .hevc, .hls: false
    }
  }
}
