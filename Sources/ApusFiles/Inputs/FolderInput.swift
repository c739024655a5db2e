// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Glibc

/// Opens files by the names that another file has for them, relative to its folder.
public struct FolderInput: Sendable {
  private let folder: String
  /// Whether names may lead outside the folder.
  private let isOpen: Bool
  /// Collects the opened files.
  private let inputs: InputFiles

  /// - Parameter path: the path of the file that contains the names.
  public init(beside path: String, mayLeave: Bool = false, inputs: InputFiles = InputFiles()) {
    folder = ApusFiles.folder(of: path)
    isOpen = mayLeave
    self.inputs = inputs
  }

  /// Opens a file. Links are resolved before its location is checked.
  ///
  /// Only regular files are opened, because a pipe could block and a device may never end.
  public func open(_ name: String) throws(FileError) -> any ByteSource {
    // A name in a file is plain UTF-8, and scalars that represent bytes in paths are ordinary characters here.
    let name = FileName.text(of: name.utf8)
    let path = name.utf8.first == UInt8(ascii: "/") ? name : "\(folder)/\(name)"
    guard !isOpen else { return try file(path) }
    guard let base = FileSystem.realPath(folder) else { throw FileError("open", folder) }
    guard let target = FileSystem.realPath(path) else { throw FileError("open", path) }
    guard target.utf8.starts(with: (base == "/" ? base : base + "/").utf8) else {
      throw FileError("open", path, reason: "it lies outside \(folder)")
    }
    return try file(target)
  }

  private func file(_ path: String) throws(FileError) -> any ByteSource {
    guard FileSystem.exists(path) else { throw FileError("open", path) }
    guard kindBehind(path) == S_IFREG else {
      throw FileError("open", path, reason: "it is no regular file")
    }
    inputs.add(path)
    return try FileSource(path)
  }
}
