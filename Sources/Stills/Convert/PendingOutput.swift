// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF

/// An output that remains to be written for a photo.
struct PendingOutput: Sendable {
  enum Content: Sendable {
    case picture(PendingPicture)
    /// Bytes that are written unchanged.
    case bytes([Extent])
  }

  var role: PictureRole
  var content: Content
  /// Whether the output only describes the previous one.
  var isDocument = false
  /// Whether the output is made from a thumbnail in the file.
  var isEmbedded = false
  /// The size of a picture whose bytes are written unchanged.
  var size = (width: 0, height: 0)

  init(_ role: PictureRole, _ content: Content, isDocument: Bool = false) {
    self.role = role
    self.content = content
    self.isDocument = isDocument
  }
}

/// A picture with everything needed to convert it.
struct PendingPicture: Sendable {
  var picture: PhotoPicture
  var source: any PictureSource
  var options: ConvertOptions
  /// Keywords and texts for a PNG.
  var texts: [(keyword: String, text: String)] = []
  /// The video that is written after the picture.
  var video: LiveVideo?
  /// The other sizes in which the picture is made.
  var sizes: PictureSizes?
}
