// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Media

/// A file that is not of the kind that a verb reads.
struct WrongKind: Error, CustomStringConvertible {
  var name: String
  var kind: FileKind

  var description: String {
    kind == .unknown
      ? "\(name) is no ISO base media file (MP4, MOV, HEIF …), nor of another kind known here"
      : "\(name) is \(kind.description), not an ISO base media file (MP4, MOV, HEIF …)"
  }
}

extension Input {
  /// The boxes of the input; throws `WrongKind` where it holds none, and what kind of file it is instead.
  func boxTree(_ limits: Limits) throws -> BoxTree {
    let kind = try FileKind(of: source)
    // The first box may be the broken one: then the name is believed.
    guard kind == .isoBMFF || (kind == .unknown && isNamedLikeBoxes) else {
      throw WrongKind(name: name, kind: kind)
    }
    return try BoxTree(reading: source, limits: limits)
  }

  private var isNamedLikeBoxes: Bool {
    let suffixes = ["heic", "heif", "hif", "avif", "mp4", "m4v", "m4a", "m4s", "mov", "3gp"]
    return suffixes.contains { name.lowercased().hasSuffix("." + $0) }
  }
}
