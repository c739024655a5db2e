// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Glibc
internal import Synchronization

/// An unnamed file in the folder for temporary files, which can be read as an input while bytes are still appended.
/// Nothing is left of it, whatever happens.
public final class SpoolSource: ByteSource {
  private let descriptor: Int32
  private let name: String
  private let length = Mutex(0)

  /// Passes the open file, positioned at its beginning, to a closure.
  public func withDescriptor<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
    try body(descriptor)
  }

  /// Updates the size after another process has written to the file.
  public func measure() throws(FileError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("read", name) }
    length.withLock { $0 = Int(status.st_size) }
  }

  /// Creates an empty file, which has no name from the start; throws if the folder cannot be written to.
  public init() throws(FileError) {
    let place = FileSystem.temporaryFolder
    var template = (place + "/apus-XXXXXX").systemName
    descriptor = unsafe mkstemp(&template)
    name = "a temporary file in \(place)"
    guard descriptor >= 0 else { throw FileError("make", name) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(template)
  }

  /// Uses an open file from its beginning, and removes its contents.
  public init(emptying descriptor: Int32, named name: String) throws(FileError) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    self.name = name
    guard self.descriptor >= 0, ftruncate(self.descriptor, 0) == 0 else {
      throw FileError("write", name)
    }
  }

  /// Removes all written bytes.
  public func empty() {
    ftruncate(descriptor, 0)
    length.withLock { $0 = 0 }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The number of bytes appended so far, or found by `measure`.
  public var count: Int { length.withLock { $0 } }
  /// `nil`: the bytes are always read from the file.
  public var resident: [UInt8]? { nil }

  /// Appends bytes; returns their range. Callers must not overlap.
  public func append(_ bytes: Span<UInt8>) throws(FileError) -> Range<Int> {
    let start = count
    try amend(bytes, at: start)
    length.withLock { $0 = start + bytes.count }
    return start..<start + bytes.count
  }

  /// Overwrites bytes that were written before.
  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    guard FileSystem.write(bytes, to: descriptor, at: offset) else {
      throw FileError("write", name)
    }
  }

  /// Reads a range that was appended before.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = range.upperBound - offset
      let step = unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        let free = unsafe buffer.baseAddress.map { unsafe $0 + initialized }
        let count = unsafe pread(descriptor, free, wanted, off_t(offset))
        if count > 0 { initialized += count }
        return count
      }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else {
        throw SyntaxError(
          .io, field: "", offset: offset, detail: FileError("read", name).description)
      }
      offset += step
    }
  }
}
