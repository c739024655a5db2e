// SPDX-License-Identifier: MIT

public import Bytes
internal import Glibc

/// Opens files by the names that another file has for them, from the folder it is in.
public struct FolderInput: Sendable {
  private let folder: String
  /// Whether names may lead out of the folder.
  private let isOpen: Bool

  /// - Parameter path: of the file that names others.
  public init(beside path: String, mayLeave: Bool = false) {
    folder = Files.folder(of: path)
    isOpen = mayLeave
  }

  /// Links are followed before it is judged where a file lies.
  public func open(_ name: String) throws(FileError) -> any ByteSource {
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    guard !isOpen else { return try openInput(path) }
    guard let root = unsafe realpath(folder, nil) else { throw FileError("open", folder) }
    defer { unsafe free(root) }
    guard let real = unsafe realpath(path, nil) else { throw FileError("open", path) }
    defer { unsafe free(real) }
    let base = unsafe String(cString: root)
    let target = unsafe String(cString: real)
    guard target.hasPrefix(base == "/" ? base : base + "/") else {
      throw FileError("open", path, reason: "it lies outside \(folder)")
    }
    return try openInput(target)
  }
}
