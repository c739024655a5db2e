// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ISOBMFF

extension Input {
  /// Returns the boxes of the input; throws `OtherKind` with the kind of the file if it has none.
  func boxTree(_ limits: Limits) throws -> BoxTree {
    let kind = try FileKind(of: source)
    // The first box may be the broken one: then the name is believed.
    guard kind == .isoBMFF || (kind == .unknown && isNamedLikeBoxes) else {
      throw OtherKind.noBoxes(name, kind)
    }
    return try BoxTree(reading: source, limits: limits)
  }

  private var isNamedLikeBoxes: Bool {
    let suffixes = ["heic", "heif", "hif", "avif", "mp4", "m4v", "m4a", "m4s", "mov", "3gp"]
    return suffixes.contains(name.pathExtension.lowercased())
  }
}
