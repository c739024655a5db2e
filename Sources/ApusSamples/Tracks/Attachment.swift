// SPDX-License-Identifier: MIT

public import ApusBytes

/// A file inside a container: a font for its subtitles, a cover picture.
public struct Attachment: Sendable {
  /// The file name: `cover.jpg`.
  public var name: String
  /// The media type, such as `image/jpeg`.
  public var mediaType: String
  /// The title for users; empty if there is none.
  public var title = ""
  /// The contents, which may still be in the input's file.
  public var data: Extent
  /// Whether it is in the boxes of a movie, which are carried over to other movies.
  package var isInBoxes = false
  /// The source's warning that not all targets can hold attachments.
  package var warning: String?

  /// Creates an attachment without a title.
  public init(name: String, mediaType: String, data: Extent) {
    (self.name, self.mediaType, self.data) = (name, mediaType, data)
  }
}
