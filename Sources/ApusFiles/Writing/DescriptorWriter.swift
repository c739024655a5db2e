// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Glibc

/// A buffered writer for an open file or pipe, with which small pieces are cheap. It does not own the descriptor, and
/// unflushed bytes are lost when it is freed.
public final class DescriptorWriter {
  /// The path or other name for messages.
  public let name: String
  /// The number of bytes written, including those still buffered.
  public private(set) var count = 0
  /// The first error, with which all later writes fail as well.
  public private(set) var failure: FileError?

  /// The descriptor; -1 if everything is buffered.
  private let descriptor: Int32
  /// The bytes that were not passed to the system yet.
  public private(set) var gathered: [UInt8] = []
  private static let standardCapacity = 1 << 16
  /// The size of the buffer, in bytes.
  private let capacity: Int
  /// Whether `fsync` will be called at the end, so that it is worth starting to write to disk earlier.
  private let isAwaited: Bool
  /// The number of bytes whose writing to disk was started.
  private var begun = 0
  /// The number of bytes that are worth a call: small while the file may be a photo, larger for longer files.
  private var stretch: Int { begun < 1 << 23 ? 1 << 19 : 1 << 24 }
  /// The pipe, created when needed; `nil` afterwards if there is none.
  private var pipe: CopyPipe?
  private var hasPipe = true

  /// - Parameters:
  ///   - isAwaited: whether this is a file, written from its beginning, for which `fsync` will be called.
  ///   - capacity: the size of the buffer, for cases with very many simultaneous writers.
  public init(
    _ descriptor: Int32, name: String, isAwaited: Bool = false, capacity: Int? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.isAwaited = isAwaited
    self.capacity = capacity ?? Self.standardCapacity
    if let capacity { gathered.reserveCapacity(capacity) }
  }

  /// Creates a writer that buffers everything, and passes nothing to the system.
  public init(gathering name: String) {
    descriptor = -1
    self.name = name
    isAwaited = false
    capacity = Self.standardCapacity
  }

  /// Writes text as UTF-8, without a terminator.
  public func write(_ text: String) throws(FileError) {
    let before = gathered.count
    gathered.append(contentsOf: text.utf8)
    count += gathered.count - before
    if gathered.count >= capacity { try flush() }
  }

  /// Writes one byte.
  public func write(_ byte: UInt8) throws(FileError) {
    gathered.append(byte)
    count += 1
    if gathered.count >= capacity { try flush() }
  }

  /// Writes bytes; many at once are not copied to the buffer.
  public func write(_ bytes: Span<UInt8>) throws(FileError) {
    count += bytes.count
    if gathered.count + bytes.count > capacity { try flush() }
    if bytes.count >= capacity, descriptor >= 0 { return try send(bytes) }
    unsafe bytes.withUnsafeBufferPointer { unsafe gathered.append(contentsOf: $0) }
  }

  /// Passes all buffered bytes to the system.
  public func flush() throws(FileError) {
    if let failure { throw failure }
    guard !gathered.isEmpty, descriptor >= 0 else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &gathered)
    try send(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &gathered)
  }

  /// Overwrites bytes that were written before, if the descriptor is that of a regular file.
  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
    try flush()
    guard FileSystem.write(bytes, to: descriptor, at: offset) else {
      let error = FileError("write", name)
      failure = error
      throw error
    }
  }

  private func send(_ bytes: Span<UInt8>) throws(FileError) {
    if let failure { throw failure }
    var sent = 0
    while sent < bytes.count {
      let written = unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe Glibc.write(
          descriptor,
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[sent...])
            .baseAddress, bytes.count - sent)
      }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        do throws(FileError) {
          // Waits until a non-blocking descriptor accepts bytes again.
          try PipeStop.shared.wait(for: descriptor, POLLOUT, "write", name)
        } catch {
          failure = error
          throw error
        }
        continue
      }
      guard written > 0 else {
        let error = FileError("write", name)
        failure = error
        throw error
      }
      sent += written
    }
    startWriting(upTo: count - gathered.count)
  }

  /// Starts writing to disk, which would otherwise wait until memory is short or `fsync` requests everything at once.
  /// Linux does that for pages that are declared unneeded; pages that are not on disk yet stay in memory.
  private func startWriting(upTo end: Int) {
    guard isAwaited, end - begun >= stretch else { return }
    _ = posix_fadvise(descriptor, begun, end - begun, POSIX_FADV_DONTNEED)
    begun = end
  }

  /// Lets the system copy from file to file. Returns the number of bytes copied; if the system refuses for any reason,
  /// the rest is left for `write`, which reports the actual error.
  fileprivate func copy(_ range: Range<Int>, from source: FileSource) throws(FileError) -> Int {
    try flush()
    let moved = isAwaited ? move(range, from: source) : 0
    var offset = off_t(range.lowerBound + moved)
    while offset < range.upperBound {
      let copied = unsafe sendfile(
        descriptor, source.descriptor, &offset, range.upperBound - Int(offset))
      if copied < 0, errno == EINTR { continue }
      guard copied > 0 else { break }
    }
    count += Int(offset) - range.lowerBound - moved
    startWriting(upTo: count)
    return Int(offset) - range.lowerBound
  }
}

extension DescriptorWriter {
  /// Copies through a separate pipe, which is faster for a file that this writer began.
  private func move(_ range: Range<Int>, from source: FileSource) -> Int {
    var moved = 0
    while hasPipe, moved < range.count {
      if pipe == nil { pipe = CopyPipe() }
      guard let pipe else {
        hasPipe = false
        break
      }
      let start = range.lowerBound + moved
      let part = start..<min(start + stretch, range.upperBound)
      let done = pipe.move(part, from: source.descriptor, to: descriptor, at: count)
      moved += done
      count += done
      startWriting(upTo: count)
      guard done == part.count else {
        // The other methods report the error.
        hasPipe = false
        self.pipe = nil
        break
      }
    }
    return moved
  }
}

extension DescriptorWriter: ByteSink {
  public func append(_ byte: UInt8) throws(SyntaxError) {
    try explained { () throws(FileError) in try write(byte) }
  }

  public func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    try explained { () throws(FileError) in try write(bytes) }
  }

  /// Appends bytes of an input; the system copies long ones from file to file if it can.
  public func append(_ extent: Extent) throws(SyntaxError) {
    var rest = extent
    let file = (extent.source as? ReadAheadSource)?.file ?? extent.source as? FileSource
    if extent.count >= capacity, let source = file {
      var copied = 0
      try explained { () throws(FileError) in copied = try copy(extent.range, from: source) }
      rest = Extent(source, extent.range.lowerBound + copied..<extent.range.upperBound)
    }
    try rest.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }

  /// Passes all buffered bytes to the system.
  public func passOn() throws(SyntaxError) {
    try explained { () throws(FileError) in try flush() }
  }

  private func explained(_ body: () throws(FileError) -> Void) throws(SyntaxError) {
    do throws(FileError) {
      try body()
    } catch {
      throw SyntaxError(.io, field: "", offset: count, detail: error.description)
    }
  }
}
