// SPDX-License-Identifier: MIT

import Media

/// A file that is not of a kind that the verb reads.
struct OtherKind: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func noBoxes(_ name: String, _ kind: FileKind) -> OtherKind {
    kind == .unknown
      ? OtherKind(
        "\(name) is no ISO base media file (MP4, MOV, HEIF …), nor of another kind known here")
      : OtherKind("\(name) is \(kind.description), not an ISO base media file (MP4, MOV, HEIF …)")
  }

  static func noRecord(_ name: String, _ kind: FileKind) -> OtherKind {
    OtherKind(
      "\(name) is \(kind.description); configuration records are found in MP4, MOV, HEIC and FLV files, "
        + "in bare HEVC streams and in files of their own")
  }

  static func noFLV(_ name: String, _ kind: FileKind) -> OtherKind {
    OtherKind("\(name) is \(kind.description), not an FLV file")
  }
}

/// What was asked for is not in the file.
struct NothingThere: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
