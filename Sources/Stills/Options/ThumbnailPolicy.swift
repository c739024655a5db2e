// SPDX-License-Identifier: MIT

/// Where a small picture comes from.
public enum ThumbnailPolicy: String, Hashable, Sendable, CaseIterable {
  /// From the file, where it holds one whose sides are in the same proportion; otherwise it is made.
  case ifAbsent = "if-absent"
  /// It is made, whatever the file holds.
  case always
  /// From the file; without one the photo fails.
  case embedded
}
