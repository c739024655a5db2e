// SPDX-License-Identifier: MIT

public import Bytes

/// A file inside of a container: a font for its subtitles, a cover picture.
public struct Attachment: Sendable {
  /// What it is called: `cover.jpg`.
  public var name: String
  public var mediaType: String
  /// What people call it; empty where nothing does.
  public var title = ""
  public var data: Extent
  /// Whether it is in the boxes of a movie, which other movies take over.
  package var isInBoxes = false
  /// What the source warns of because not everything takes attachments.
  package var warning: String?

  public init(name: String, mediaType: String, data: Extent) {
    (self.name, self.mediaType, self.data) = (name, mediaType, data)
  }
}
