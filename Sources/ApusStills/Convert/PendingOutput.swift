// SPDX-License-Identifier: MIT

internal import ApusBytes

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
