// SPDX-License-Identifier: MIT

/// The action to take if the output file exists already.
public enum OnExists: String, Hashable, Sendable, CaseIterable {
  /// Keeps it, and writes nothing.
  case skip
  /// Replaces it with the new file.
  case replace
  /// Writes to another name, with a number before the extension: `photo-1.heic`.
  case rename
}
