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
    guard kind == .isoBMFF else { throw WrongKind(name: name, kind: kind) }
    return try BoxTree(reading: source, limits: limits)
  }
}
