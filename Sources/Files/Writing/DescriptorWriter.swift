// SPDX-License-Identifier: MIT

public import Bytes
internal import Glibc

/// Bytes on their way to an open file or pipe, gathered so that small pieces are cheap. It does not own
/// the descriptor, and what was not flushed when it goes away is lost.
public final class DescriptorWriter {
  public let name: String
  /// How many bytes went in, those still gathered here included.
  public private(set) var count = 0
  /// The first error; all later writes fail with it too.
  public private(set) var failure: FileError?

  /// None where all is gathered.
  private let descriptor: Int32
  /// What was written and not handed to the system.
  public private(set) var gathered: [UInt8] = []
  private static let standardCapacity = 1 << 16
  /// How much is gathered.
  private let capacity: Int
  /// Whether the disk is waited for at the end, so that it is worth setting it to work before.
  private let isAwaited: Bool
  /// How much of what the system was handed the disk was set to.
  private var begun = 0
  /// What is worth a call: little while it may be a photo, which is over soon, and more in what is longer than those.
  private var stretch: Int { begun < 1 << 23 ? 1 << 19 : 1 << 24 }
  /// The pipe, made when it is needed; `nil` after that where there is none.
  private var pipe: CopyPipe?
  private var hasPipe = true

  /// - Parameters:
  ///   - isAwaited: whether it is a file, from its beginning, that `fsync` will be called for.
  ///   - capacity: how much is gathered, where there are so many writers at a time that it counts.
  public init(
    _ descriptor: Int32, name: String, isAwaited: Bool = false, capacity: Int? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.isAwaited = isAwaited
    self.capacity = capacity ?? Self.standardCapacity
    if let capacity { gathered.reserveCapacity(capacity) }
  }

  /// Gathers all that is written, and hands none of it to the system.
  public init(gathering name: String) {
    descriptor = -1
    self.name = name
    isAwaited = false
    capacity = Self.standardCapacity
  }

  public func write(_ text: String) throws(FileError) {
    let before = gathered.count
    gathered.append(contentsOf: text.utf8)
    count += gathered.count - before
    if gathered.count >= capacity { try flush() }
  }

  public func write(_ byte: UInt8) throws(FileError) {
    gathered.append(byte)
    count += 1
    if gathered.count >= capacity { try flush() }
  }

  public func write(_ bytes: Span<UInt8>) throws(FileError) {
    count += bytes.count
    if gathered.count + bytes.count > capacity { try flush() }
    if bytes.count >= capacity, descriptor >= 0 { return try send(bytes) }
    unsafe bytes.withUnsafeBufferPointer { unsafe gathered.append(contentsOf: $0) }
  }

  /// Hands everything gathered to the system.
  public func flush() throws(FileError) {
    if let failure { throw failure }
    guard !gathered.isEmpty, descriptor >= 0 else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &gathered)
    try send(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &gathered)
  }

  /// Writes over bytes that were written before, where the descriptor is that of a regular file.
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
          // Until a descriptor that does not block takes bytes again.
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

  /// Lets the disk begin, which otherwise waits until memory is short or `fsync` asks for everything at once. Linux
  /// does that where pages are said not to be needed; those that the disk does not have yet stay in memory.
  private func startWriting(upTo end: Int) {
    guard isAwaited, end - begun >= stretch else { return }
    _ = posix_fadvise(descriptor, begun, end - begun, POSIX_FADV_DONTNEED)
    begun = end
  }

  /// Lets the system copy from file to file. Returns how many bytes it took on; where it refuses, for
  /// whatever reason, the rest is for `write`, which knows the true error.
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
  /// The same through a pipe of its own, which is faster into a file whose beginning is this writer's.
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
        // The other ways know what is wrong.
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
