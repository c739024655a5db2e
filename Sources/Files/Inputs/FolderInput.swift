// SPDX-License-Identifier: MIT

public import Bytes
internal import Glibc

/// Opens files by the names that another file has for them, from the folder it is in.
public struct FolderInput: Sendable {
  private let folder: String
  /// Whether names may lead out of the folder.
  private let isOpen: Bool
  /// Takes in what is opened.
  private let inputs: InputFiles

  /// - Parameter path: of the file that names others.
  public init(beside path: String, mayLeave: Bool = false, inputs: InputFiles = InputFiles()) {
    folder = Files.folder(of: path)
    isOpen = mayLeave
    self.inputs = inputs
  }

  /// Links are followed before it is judged where a file lies.
  ///
  /// Nothing but regular files is opened: a pipe would be waited for, and a device may have no end.
  public func open(_ name: String) throws(FileError) -> any ByteSource {
    // A name in a file is plain UTF-8, and what stands for a byte among paths is a character here.
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
