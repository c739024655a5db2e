// SPDX-License-Identifier: MIT

/// The origin of a small picture.
public enum ThumbnailPolicy: String, Hashable, Sendable, CaseIterable {
  /// The file's own where its sides are in the same proportion; otherwise one is made.
  case ifAbsent = "if-absent"
  /// One that is made, whatever the file holds.
  case always
  /// The file's own; without one the photo fails.
  case embedded
}
