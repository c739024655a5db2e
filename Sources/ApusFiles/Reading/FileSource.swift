// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Glibc

/// A file as an input, read on demand and never mapped, so that a file that shrinks during reading causes an error
/// instead of a signal.
public final class FileSource: ByteSource {
  /// The path, or the name for messages if the file was opened elsewhere.
  public let path: String
  /// The size in bytes at the time of opening.
  public let count: Int
  let descriptor: Int32

  /// Opens a file for reading, following symbolic links.
  public convenience init(_ path: String) throws(FileError) {
    try self.init(owning: FileSystem.open(path, O_RDONLY), name: path)
  }

  /// Opens a file below a folder, without following links on the way to it.
  public convenience init(_ path: String, below folder: String) throws(FileError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var place = FileSystem.open(folder, O_RDONLY | O_DIRECTORY)
    for (index, part) in parts.enumerated() {
      guard place >= 0 else { break }
      let outer = place
      guard !part.isEmpty, part != ".", part != ".." else {
        close(outer)
        throw FileError("open", path, code: ENOENT)
      }
      let kind = index == parts.count - 1 ? O_NONBLOCK : O_DIRECTORY
      place = FileSystem.open(String(part), O_RDONLY | O_NOFOLLOW | kind, in: outer)
      let code = errno
      close(outer)
      errno = code
    }
    try self.init(owning: place, name: path)
  }

  /// Uses an open file, such as standard input, whose descriptor stays with its owner.
  public convenience init(duplicating descriptor: Int32, name: String) throws(FileError) {
    try self.init(owning: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), name: name)
  }

  private init(owning descriptor: Int32, name path: String) throws(FileError) {
    guard descriptor >= 0 else { throw FileError("open", path) }
    var status = stat()
    var code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    if code == 0, status.st_mode & S_IFMT == S_IFDIR { code = EISDIR }
    self.path = path
    self.descriptor = descriptor
    count = Int(status.st_size)
    // From here on, `deinit` closes the descriptor.
    guard code == 0 else { throw FileError("read", path, code: code) }
  }

  deinit { close(descriptor) }

  /// Passes the open file to a closure.
  public func withDescriptor<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
    try body(descriptor)
  }

  /// Takes over a `GrowingFile` that another process has left; returns `false` if that process is still writing it.
  public func claim() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  /// `nil`: the bytes are always read from the file.
  public var resident: [UInt8]? { nil }

  /// Reads a range from the file; throws if the file is now shorter.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = range.upperBound - offset
      let read = unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        let free = unsafe buffer.baseAddress.map { unsafe $0 + initialized }
        let count = unsafe pread(descriptor, free, wanted, offset)
        if count > 0 { initialized += count }
        return count
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        throw SyntaxError(
          .io, field: "", offset: offset,
          detail: read == 0
            ? "\(path) became shorter while it was read" : FileError("read", path).description)
      }
      offset += read
    }
  }
}
