// SPDX-License-Identifier: MIT

// Paths are taken apart at bytes. A character of Swift's may join a slash and an accent that a name begins with.
extension String {
  /// The place of the last slash.
  public var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }

  /// The path up to its last slash with that; empty where it has none.
  public var folderPrefix: Substring {
    lastSlash.map { self[..<utf8.index(after: $0)] } ?? self[..<startIndex]
  }

  /// What follows the last slash.
  public var lastName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[startIndex...]
  }

  /// Whether it ends with a slash, as what is meant to be a folder does.
  public var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }
}
