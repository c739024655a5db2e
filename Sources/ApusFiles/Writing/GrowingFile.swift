// SPDX-License-Identifier: MIT

internal import Glibc

/// A file that has its name from the first byte, so that written bytes survive any end of the process. Its folder must
/// exist (`OutputFolder`).
///
/// A file that replaces another has a hidden name until `appear` is called, so that the other is kept until there is a
/// replacement.
public final class GrowingFile {
  /// The path of the file, or its future path while it is hidden.
  public private(set) var path: String
  /// The writer for the file's bytes.
  public let writer: DescriptorWriter
  private let descriptor: Int32
  /// The name until it appears.
  private var hiddenName: String?
  /// The size of the buffer in bytes; hundreds of streams may be recorded at a time.
  private static let gathered = 1 << 15

  /// Creates a file; `nil` if one exists and the policy is to skip it. Remains of a killed process are removed.
  public init?(_ path: String, onExists: OnExists = .skip) throws(FileError) {
    try OutputFolder.require(for: path)
    if onExists == .replace, let status = FileSystem.status(path),
      status.st_mode & S_IFMT == S_IFREG
    {
      // A link stays a link: its target is replaced.
      let path = FileSystem.realPath(path) ?? path
      HiddenName.removeLeft(for: path)
      let hidden = HiddenName.create(for: path)
      guard hidden.descriptor >= 0 else { throw FileError("write", path) }
      fchmod(hidden.descriptor, status.st_mode & 0o7777)
      hiddenName = hidden.name
      self.path = path
      descriptor = hidden.descriptor
      writer = DescriptorWriter(hidden.descriptor, name: path, capacity: Self.gathered)
      return
    }
    var opened: (descriptor: Int32, path: String)?
    let names = onExists == .rename ? 10_000 : 1
    for number in 0..<names where opened == nil {
      let name = number == 0 ? path : numbered(path, number)
      HiddenName.removeLeft(for: name)
      let result = FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL)
      if result >= 0 {
        opened = (result, name)
      } else if errno != EEXIST {
        throw FileError("write", name)
      }
    }
    guard let opened else {
      switch onExists {
      case .skip: return nil
      case .replace: throw FileError("write", path, code: EEXIST)
      case .rename:
        throw FileError("write", path, reason: "there are 10000 files of this name")
      }
    }
    // The lock shows later processes that the file is still being written.
    _ = flock(opened.descriptor, LOCK_EX | LOCK_NB)
    self.path = opened.path
    descriptor = opened.descriptor
    writer = DescriptorWriter(opened.descriptor, name: opened.path, capacity: Self.gathered)
  }

  /// Creates a file under a hidden name next to a path, which it may replace later (`move`). Remains of a killed
  /// process are removed.
  public init(unfinished path: String) throws(FileError) {
    try OutputFolder.require(for: path)
    HiddenName.removeLeft(for: path)
    let hidden = HiddenName.create(for: path)
    guard hidden.descriptor >= 0 else { throw FileError("write", path) }
    self.path = hidden.name
    descriptor = hidden.descriptor
    writer = DescriptorWriter(hidden.descriptor, name: hidden.name)
  }

  deinit { close(descriptor) }

  /// Whether it has yet to replace another file.
  public var isHidden: Bool { hiddenName != nil }

  /// Whether no bytes were passed to the system.
  public var isEmpty: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_size == 0
  }

  /// Replaces the existing file, unless that is done already.
  public func appear() throws(FileError) {
    guard let hiddenName else { return }
    guard unsafe rename(hiddenName.systemName, path.systemName) == 0 else {
      throw FileError("replace", path)
    }
    self.hiddenName = nil
  }

  /// Returns the bytes written so far, for reading.
  public func written() throws(FileError) -> FileSource {
    try writer.flush()
    return try FileSource(duplicating: descriptor, name: path)
  }

  /// Renames the file, replacing any existing one.
  public func move(to path: String) throws(FileError) {
    guard unsafe rename(self.path.systemName, path.systemName) == 0 else {
      throw FileError("replace", path)
    }
    self.path = path
  }

  /// Removes the file, which contains nothing worth keeping. A file that was to be replaced is kept.
  ///
  /// - Returns: the error of removing it; `nil` on success.
  @discardableResult
  public func remove() -> FileError? {
    let name = hiddenName ?? path
    guard unsafe unlink(name.systemName) != 0, errno != ENOENT else { return nil }
    return FileError("remove", name)
  }
}
