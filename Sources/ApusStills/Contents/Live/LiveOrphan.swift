// SPDX-License-Identifier: MIT

/// A half of a Live Photo whose other half is not in its folder: a picture or a video with a content identifier that no
/// other file in the folder has.
public struct LiveOrphan: Hashable, Sendable {
  /// The missing half.
  public enum Half: String, Hashable, Sendable, CaseIterable {
    case picture, video
  }

  /// The half that no file in the folder provides.
  public var missing: Half
  /// The identifier that both halves carry.
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
