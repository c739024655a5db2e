// SPDX-License-Identifier: MIT

internal import Glibc

/// A file that has its name from the first byte on, so that whatever ends the process leaves what was written. Folders
/// that are missing are made.
public final class GrowingFile {
  public private(set) var path: String
  /// Where the bytes go.
  public let writer: DescriptorWriter
  private let descriptor: Int32

  /// Begins a file; `nil` when there is one and the policy is to skip it.
  public init?(_ path: String, onExists: OnExists = .skip) throws(FileError) {
    makeFolder(folder(of: path))
    var opened: (descriptor: Int32, path: String)?
    let names = onExists == .rename ? 10_000 : 1
    for number in 0..<names where opened == nil {
      let name = number == 0 ? path : numbered(path, number)
      let exclusive = onExists == .replace ? O_TRUNC : O_EXCL
      let result = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | exclusive, 0o666)
      if result >= 0 {
        opened = (result, name)
      } else if errno != EEXIST {
        throw FileError("write", name)
      }
    }
    guard let opened else {
      if onExists == .rename {
        throw FileError("write", path, reason: "there are 10000 files of this name")
      }
      return nil
    }
    // Whoever finds it later sees whether it is still written.
    _ = flock(opened.descriptor, LOCK_EX | LOCK_NB)
    self.path = opened.path
    descriptor = opened.descriptor
    writer = DescriptorWriter(opened.descriptor, name: opened.path)
  }

  deinit { close(descriptor) }

  /// What was written so far, to be read again.
  public func written() throws(FileError) -> FileSource {
    try writer.flush()
    return try FileSource(duplicating: descriptor, name: path)
  }

  /// Gives it another name, taking the place of what has it.
  public func move(to path: String) throws(FileError) {
    guard unsafe rename(self.path, path) == 0 else { throw FileError("replace", path) }
    self.path = path
  }

  /// Takes the file away, for it holds nothing worth keeping.
  public func remove() { unsafe unlink(path) }
}
