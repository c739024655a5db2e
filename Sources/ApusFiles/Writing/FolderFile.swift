// SPDX-License-Identifier: MIT

internal import Glibc

/// A file in a folder that is still incomplete.
public final class FolderFile {
  /// The writer for the file's bytes.
  public let writer: DescriptorWriter
  private let descriptor: Int32

  init(_ path: String) throws(FileError) {
    descriptor = FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL)
    writer = DescriptorWriter(descriptor, name: path, isAwaited: true)
    guard descriptor >= 0 else { throw FileError("write", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Overwrites bytes that were written before.
  public func replace(at offset: Int, with bytes: [UInt8]) throws(FileError) {
    try writer.amend(bytes.span, at: offset)
  }
}
