// SPDX-License-Identifier: MIT

package import ApusBytes
internal import Glibc

/// Opens a path as an input: a regular file is read on demand; a named pipe, which can be read only once, is read
/// completely (`spooled`). Devices and folders are an error.
///
/// - Parameter limit: the maximum number of bytes in a pipe.
package func openInput(_ path: String, limit: Int = Limits().pipe) throws(FileError)
  -> any ByteSource
{
  var status = stat()
  guard unsafe stat(path.systemName, &status) == 0 else { throw FileError("open", path) }
  switch status.st_mode & S_IFMT {
  case S_IFREG, S_IFDIR: return try FileSource(path)
  case S_IFCHR: throw FileError("read", path, reason: "it is a character device, and no file")
  case S_IFBLK: throw FileError("read", path, reason: "it is a block device, and no file")
  default:
    let descriptor = try openPipe(reading: path)
    defer { close(descriptor) }
    return try spooled(PipeReader(descriptor, name: path), limit: limit)
  }
}

/// Opens standard input: the file itself if it is a regular file, otherwise all its bytes.
package func standardInput(limit: Int = Limits().pipe) throws(FileError) -> any ByteSource {
  let name = "standard input"
  var status = stat()
  guard unsafe fstat(STDIN_FILENO, &status) == 0 else { throw FileError("read", name) }
  let kind = status.st_mode & S_IFMT
  if kind == S_IFREG, lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 {
    return try FileSource(duplicating: STDIN_FILENO, name: name)
  }
  var null = stat()
  let isNull = unsafe stat("/dev/null".systemName, &null) == 0 && status.st_rdev == null.st_rdev
  // Other devices never end.
  if kind == S_IFCHR, !isNull, isatty(STDIN_FILENO) != 1 {
    throw FileError("read", name, reason: "it is a character device, and no file")
  }
  return try spooled(PipeReader(STDIN_FILENO, name: name), limit: limit)
}

/// Reads everything that comes through a pipe, into memory if it is small, otherwise into an unnamed file.
///
/// - Parameter first: the bytes that were read already.
package func spooled(
  _ pipe: PipeReader, after first: [UInt8] = [], limit: Int = Limits().pipe
) throws(FileError) -> any ByteSource {
  var bytes = first
  var spool: SpoolSource?
  while let more = try pipe.next() {
    guard (spool?.count ?? bytes.count) + more.count <= limit else {
      throw FileError(
        "read", pipe.name, reason: "it has more bytes than the limit pipe of \(limit)")
    }
    if let spool {
      _ = try spool.append(more.span)
    } else {
      bytes += more
      guard bytes.count > mostInMemory else { continue }
      let file = try SpoolSource()
      _ = try file.append(bytes.span)
      spool = file
      bytes = []
    }
  }
  return spool ?? MemorySource(bytes)
}

/// The size up to which input is kept in memory: that of a photo.
private let mostInMemory = 16 << 20
