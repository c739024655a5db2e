// SPDX-License-Identifier: MIT

// Paths are split at bytes, because a Swift character may combine a slash with an accent at the start of a name.
extension String {
  /// The index of the last slash.
  package var lastSlash: Index? { utf8.lastIndex(of: UInt8(ascii: "/")) }

  /// The path up to and including its last slash; empty if there is none.
  package var folderPrefix: Substring {
    lastSlash.map { self[..<utf8.index(after: $0)] } ?? self[..<startIndex]
  }

  /// The part after the last slash.
  package var lastName: Substring {
    lastSlash.map { self[utf8.index(after: $0)...] } ?? self[startIndex...]
  }

  /// The extension of the last name, without its dot; empty if there is none.
  package var pathExtension: String {
    lastDot.map { String(self[utf8.index(after: $0)...]) } ?? ""
  }

  /// The path without the extension of its last name and the dot before it.
  package var withoutExtension: Substring { self[..<(lastDot ?? endIndex)] }

  /// The dot before the extension, which the first one of a hidden file is not.
  private var lastDot: Index? {
    let name = lastName
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil }
  }

  /// Whether it ends with a slash, which indicates a folder.
  package var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }
}
