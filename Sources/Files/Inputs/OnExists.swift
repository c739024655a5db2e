// SPDX-License-Identifier: MIT

/// What to do when the file to write is there already.
public enum OnExists: String, Hashable, Sendable, CaseIterable {
  /// Leave it, and write nothing.
  case skip
  /// Put the new file in its place.
  case replace
  /// Write beside it, with a number before the extension: `photo-1.heic`.
  case rename
}
