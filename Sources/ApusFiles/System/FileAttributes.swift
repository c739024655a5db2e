// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import CApusFiles
internal import Glibc

/// The extended attributes of a file in which users and their programs store information: tags, ratings, comments,
/// origin. Attributes that describe its bytes, such as checksums, are not included.
public struct FileAttributes: Sendable {
  private struct Attribute: Hashable, Sendable {
    var name: String
    var value: [UInt8]
  }

  private var attributes: [Attribute] = []

  /// Reads the attributes of a file; the list is empty if its file system has none, or the file cannot be read.
  public init(of path: String) { self.init(of: path) { $0.isPersonal } }

  /// Reads the attributes to keep when a file's contents are replaced: these, and the access control list.
  init(keptOf path: String) { self.init(of: path) { $0.isPersonal || $0 == accessList } }

  private init(of path: String, where isWanted: (String) -> Bool) {
    let file = path.systemName
    let names = unsafe Self.bytes { unsafe listxattr(file, $0, $1) }
    for name in names.split(separator: 0) {
      let text = FileName.text(of: name)
      guard isWanted(text) else { continue }
      let value = unsafe Self.bytes { unsafe getxattr(file, text.systemName, $0, $1) }
      attributes.append(Attribute(name: text, value: value))
    }
  }

  /// Returns the names of attributes that another file lacks, or has with other values.
  public func missing(in path: String) -> [String] {
    guard !attributes.isEmpty else { return [] }
    let there = Set(FileAttributes(of: path).attributes)
    return attributes.filter { !there.contains($0) }.map(\.name)
  }

  /// Sets the attributes of a file. Those that its file system rejects are omitted, which `missing` reports.
  public func give(to path: String) {
    let file = path.systemName
    give { unsafe setxattr(file, $0, $1, $2, 0) }
  }

  func give(to descriptor: Int32) {
    give { unsafe fsetxattr(descriptor, $0, $1, $2, 0) }
  }

  private func give(_ set: ([CChar], [UInt8], Int) -> Int32) {
    for attribute in attributes {
      _ = set(attribute.name.systemName, attribute.value, attribute.value.count)
    }
  }

  /// Returns the bytes of a system function that is called twice, first for their number.
  private static func bytes(_ read: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8] {
    let count = read(nil, 0)
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, unsafe read(buffer.baseAddress, count))
    }
  }
}

private let accessList = "system.posix_acl_access"

/// The prefixes of attribute names that describe bytes.
private let ofBytes = ["user.mime_type", "user.shatag.", "user.sha", "user.md5", "user.checksum"]

extension String {
  /// Whether an attribute with this name also applies to files made from this one.
  fileprivate var isPersonal: Bool { hasPrefix("user.") && !ofBytes.contains(where: hasPrefix) }
}
