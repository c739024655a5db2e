// SPDX-License-Identifier: MIT

internal import Glibc

extension FileSource {
  /// Writes over bytes of the file, nothing else, and waits until the disk has them. What was not changed
  /// is not touched; a power cut may leave some pieces written and others not.
  ///
  /// - Parameter pieces: each inside the file.
  public func patch(_ pieces: [(offset: Int, bytes: [UInt8])]) throws(FileError) {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("write", path) }
    defer { close(file) }
    var (mine, theirs) = (stat(), stat())
    guard unsafe fstat(descriptor, &mine) == 0, unsafe fstat(file, &theirs) == 0 else {
      throw FileError("write", path)
    }
    guard mine.st_dev == theirs.st_dev, mine.st_ino == theirs.st_ino, Int(theirs.st_size) == count
    else { throw FileError("write", path, reason: "it changed while it was read") }
    for piece in pieces {
      var sent = 0
      while sent < piece.bytes.count {
        let written = unsafe piece.bytes.withUnsafeBytes { buffer in
          unsafe pwrite(
            file, UnsafeRawBufferPointer(rebasing: buffer[sent...]).baseAddress,
            buffer.count - sent, off_t(piece.offset + sent))
        }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw FileError("write", path) }
        sent += written
      }
    }
    guard fsync(file) == 0 else { throw FileError("write", path) }
  }
}
