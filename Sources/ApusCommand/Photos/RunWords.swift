// SPDX-License-Identifier: MIT

import Files

/// The words in which a run is reported.
struct RunWords: Hashable, Sendable {
  /// What became of a photo: `converted`.
  var done = "converted"
  /// The last line where there was nothing.
  var nothing = "no photo was found to convert"
  /// Whether photos whose report is only a warning have nothing that was asked for.
  var mayBeEmpty = false
}
