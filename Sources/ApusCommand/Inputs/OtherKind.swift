// SPDX-License-Identifier: MIT

import ApusMedia

/// Thrown for a file of a kind that the verb does not read.
struct OtherKind: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func noBoxes(_ name: String, _ kind: FileKind) -> OtherKind {
    kind == .unknown
      ? OtherKind(
        "\(name) is of an unknown kind, not an ISO base media file (MP4, MOV, HEIF …)")
      : OtherKind("\(name) is \(kind.description), not an ISO base media file (MP4, MOV, HEIF …)")
  }

  static func noRecord(_ name: String, _ kind: FileKind) -> OtherKind {
    OtherKind(
      "\(name) is \(kind.description); configuration records exist in MP4, MOV, HEIC and FLV files, "
        + "in bare HEVC streams and as separate files")
  }

  static func noFLV(_ name: String, _ kind: FileKind) -> OtherKind {
    OtherKind("\(name) is \(kind.description), not an FLV file")
  }
}

/// Thrown if the requested data are not in the file.
struct NothingThere: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
