// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport

/// Damage to one box of a fixture, found by the way to it.
struct GraphEdit: Sendable {
  private enum Kind: Sendable {
    case name(String)
    case size(Int)
    /// Bytes from the start of the box on.
    case bytes(Int, [UInt8])
  }

  private var path: String
  private var kind: Kind

  static func rename(_ path: String, _ name: String) -> GraphEdit {
    GraphEdit(path: path, kind: .name(name))
  }

  /// Changes what the size field says, and nothing else.
  static func resize(_ path: String, by difference: Int) -> GraphEdit {
    GraphEdit(path: path, kind: .size(difference))
  }

  static func set(_ path: String, at offset: Int, _ bytes: [UInt8]) -> GraphEdit {
    GraphEdit(path: path, kind: .bytes(offset, bytes))
  }

  /// The bytes of a fixture with this damage.
  func applied(to fixture: String) throws -> [UInt8] {
    var bytes = try Fixture.bytes(fixture)
    let path = try BoxPath(located: path).unwrapped()
    let node = try Fixture.tree(fixture).nodes(at: path).first.unwrapped().node
    let start = node.start
    switch kind {
    case .name(let name): bytes.replaceSubrange(start + 4..<start + 8, with: Array(name.utf8))
    case .size(let difference):
      let size = try node.size() + difference
      bytes.replaceSubrange(
        start..<start + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
    case .bytes(let offset, let new):
      bytes.replaceSubrange(start + offset..<start + offset + new.count, with: new)
    }
    return bytes
  }

  func file(_ fixture: String, salvaging: Bool = false) throws -> PhotoFile {
    PhotoFile(
      try BoxTree(reading: MemorySource(applied(to: fixture))), salvaging: salvaging)
  }
}
