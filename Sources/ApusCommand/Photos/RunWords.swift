// SPDX-License-Identifier: MIT

import ApusFiles

/// The words in which a run is reported.
struct RunWords: Hashable, Sendable {
  /// The result of a photo: `converted`.
  var done = "converted"
  /// The last line if there were no photos.
  var nothing = "no photos found"
  /// Whether a photo with only a warning had nothing that was asked for.
  var mayBeEmpty = false
}
