// SPDX-License-Identifier: MIT

public import Bytes
internal import Glibc

/// A path as an input: a regular file is read where it is asked for; what can be read only once, such as
/// a pipe, is read whole.
public func openInput(_ path: String) throws(FileError) -> any ByteSource {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { throw FileError("open", path) }
  guard status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR else {
    return try FileSource(path)
  }
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileError("open", path) }
  defer { close(descriptor) }
  return MemorySource(try readAll(descriptor, name: path))
}

/// Standard input: where a whole file stands behind it that file, otherwise all its bytes in memory.
public func standardInput() throws(FileError) -> any ByteSource {
  var status = stat()
  if unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
    lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
  {
    return try FileSource(duplicating: STDIN_FILENO, name: "standard input")
  }
  return MemorySource(try readAll(STDIN_FILENO, name: "standard input"))
}

private func readAll(_ descriptor: Int32, name: String) throws(FileError) -> [UInt8] {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = unsafe piece.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw FileError("read", name) }
    if count == 0 { return bytes }
    bytes += piece[..<count]
  }
}
