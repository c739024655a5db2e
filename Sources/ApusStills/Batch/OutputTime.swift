// SPDX-License-Identifier: MIT

/// The modification time given to an output file.
public enum OutputTime: String, Hashable, Sendable, CaseIterable {
  /// The time of the photo's file.
  case keep
  /// The time at which the photo was taken according to Exif, or that of its file if Exif has none.
  case exif
  /// The current time.
  case now
}
