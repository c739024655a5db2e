// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF

/// Something that is still to be written for a photo.
struct PendingOutput: Sendable {
  enum Content: Sendable {
    case picture(PendingPicture)
    /// Bytes that are written as they are.
    case bytes([Extent])
  }

  var role: PictureRole
  var content: Content
  /// Whether it only says more of the one before.
  var isDocument = false
  /// Whether it is made from a thumbnail that the file holds.
  var isEmbedded = false
  /// The size of a picture whose bytes are written as they are.
  var size = (width: 0, height: 0)

  init(_ role: PictureRole, _ content: Content, isDocument: Bool = false) {
    self.role = role
    self.content = content
    self.isDocument = isDocument
  }
}

/// A picture with all that says how it is made.
struct PendingPicture: Sendable {
  var picture: PhotoPicture
  var source: any PictureSource
  var options: ConvertOptions
  /// What a PNG says of it, as keywords and texts.
  var texts: [(keyword: String, text: String)] = []
  /// What is written after it.
  var video: LiveVideo?
  /// The other sizes that it is made in.
  var sizes: PictureSizes?
}
