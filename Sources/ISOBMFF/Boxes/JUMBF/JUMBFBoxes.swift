// SPDX-License-Identifier: MIT

/// The JPEG universal metadata box format.
enum JUMBFBoxes {
  static let all: [any Box.Type] = [
    UniversalMetadata.self, UniversalMetadataDescription.self, CBORContent.self, JSONContent.self,
    EmbeddedFileDescription.self, EmbeddedFileData.self, ContentSalt.self,
  ]
}
