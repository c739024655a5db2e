// SPDX-License-Identifier: MIT

/// The origin of a small picture.
public enum ThumbnailPolicy: String, Hashable, Sendable, CaseIterable {
  /// The file's thumbnail where it is as large as what was asked for and its sides are in the same proportion;
  /// otherwise one that is made.
  case ifAbsent = "if-absent"
  /// A thumbnail that is made, whatever the file holds.
  case always
  /// The file's thumbnail; without one the photo fails.
  case embedded
}
