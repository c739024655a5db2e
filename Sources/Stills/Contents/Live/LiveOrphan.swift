// SPDX-License-Identifier: MIT

/// A half of a Live Photo whose other half is not in its folder: a picture or a video that carries a content identifier
/// which nothing beside it has.
public struct LiveOrphan: Hashable, Sendable {
  /// What is missing.
  public enum Half: String, Hashable, Sendable, CaseIterable {
    case picture, video
  }

  public var missing: Half
  /// What both halves carry.
  public var identifier: String

  init(missing: Half, identifier: String) {
    self.missing = missing
    self.identifier = identifier
  }

  /// The warning about the missing half.
  public var warning: String {
    let half = missing == .video ? "video" : "picture"
    return
      "its \(half) (Live Photo) is missing: no other file in the folder has the content identifier "
      + identifier
  }
}
