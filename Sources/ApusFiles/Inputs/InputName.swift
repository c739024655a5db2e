// SPDX-License-Identifier: MIT

public import ApusBytes

/// The name of an input that is not open yet.
public struct InputName: Hashable, Sendable, Codable {
  /// The path, or `-`.
  public var path: String
  /// The folder that was named, if the file was found in one.
  public var folder: String?

  public init(path: String, folder: String? = nil) {
    self.path = path
    self.folder = folder
  }

  /// Whether the file was found in a folder instead of being named; such a file may be of any kind.
  public var isFound: Bool { folder != nil }

  /// The path below the named folder, or only the file's name.
  public var relative: String {
    guard let folder else { return String(path.lastName) }
    let rest = path.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }
    return String(Substring(rest))
  }

  /// Opens the input.
  public func opened(_ limits: Limits) throws(FileError) -> any ByteSource {
    try path == "-" ? standardInput(limit: limits.pipe) : openInput(path, limit: limits.pipe)
  }
}
