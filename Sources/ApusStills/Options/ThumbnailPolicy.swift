// SPDX-License-Identifier: MIT

/// The source of a thumbnail.
public enum ThumbnailPolicy: String, Hashable, Sendable, CaseIterable {
  /// The file's thumbnail, if it is as large as requested and has the aspect ratio of the photo; otherwise a new one.
  case ifAbsent = "if-absent"
  /// A new thumbnail, whatever the file contains.
  case always
  /// The file's thumbnail; the photo fails if there is none.
  case embedded
}
