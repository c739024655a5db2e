// SPDX-License-Identifier: MIT

/// Which time the file of an output gets.
public enum OutputTime: String, Hashable, Sendable, CaseIterable {
  /// The time of the photo's file.
  case keep
  /// The time at which the photo was taken, as Exif says; that of its file where Exif is silent.
  case exif
  /// The present.
  case now
}
