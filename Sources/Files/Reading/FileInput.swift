// SPDX-License-Identifier: MIT

public import Bytes
internal import Glibc

/// A path as an input: a regular file is read where it is asked for; a named pipe, which can be read only once, is
/// read whole (`spooled`). Devices and folders are refused.
///
/// - Parameter limit: how many bytes a pipe may hold.
public func openInput(_ path: String, limit: Int = Limits().pipe) throws(FileError)
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

/// Standard input: the file itself where it is a whole one, otherwise all its bytes.
public func standardInput(limit: Int = Limits().pipe) throws(FileError) -> any ByteSource {
  let name = "standard input"
  var status = stat()
  guard unsafe fstat(STDIN_FILENO, &status) == 0 else { throw FileError("read", name) }
  let kind = status.st_mode & S_IFMT
  if kind == S_IFREG, lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 {
    return try FileSource(duplicating: STDIN_FILENO, name: name)
  }
  var null = stat()
  let isNull = unsafe stat("/dev/null".systemName, &null) == 0 && status.st_rdev == null.st_rdev
  // Others have no end.
  if kind == S_IFCHR, !isNull, isatty(STDIN_FILENO) != 1 {
    throw FileError("read", name, reason: "it is a character device, and no file")
  }
  return try spooled(PipeReader(STDIN_FILENO, name: name), limit: limit)
}

/// All that comes through a pipe: in memory where that is little, in a nameless file where it is more.
///
/// - Parameter first: what was read of it already.
public func spooled(
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

/// What a photo has.
private let mostInMemory = 16 << 20
