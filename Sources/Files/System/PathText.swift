// SPDX-License-Identifier: MIT

// Paths are split at bytes, because a Swift character may combine a slash with an accent at the start of a name.
extension String {
  /// The index of the last slash.
  public var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }

  /// The path up to and including its last slash; empty if there is none.
  public var folderPrefix: Substring {
    lastSlash.map { self[..<utf8.index(after: $0)] } ?? self[..<startIndex]
  }

  /// The part after the last slash.
  public var lastName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[startIndex...]
  }

  /// Whether it ends with a slash, which indicates a folder.
  public var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }
}
