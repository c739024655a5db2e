// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import CApusFFmpeg

/// The input of libavformat: an `AVIOContext` whose functions read the bytes of the container.
///
/// An error while reading cannot pass through C; it is kept here until the call into the library returns.
@safe final class ForeignReader {
  private let library: LibAVFormat
  private let bytes: ForeignBytes
  private var position = 0
  /// The bytes that were pulled and not read yet, for an input that is still growing.
  private var pulled: [UInt8] = []
  private var isOver = false
  private(set) var failure: MediaError?
  let interruption: ForeignInterruption
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private static let bufferSize = 1 << 18

  init(
    _ bytes: ForeignBytes, _ interruption: ForeignInterruption, library: LibAVFormat
  ) throws(MediaError) {
    self.bytes = bytes
    self.interruption = interruption
    self.library = library
    let memory = unsafe library.call.av_malloc(Self.bufferSize)
    guard let memory = unsafe memory else {
      throw MediaError(.memory, "not enough memory for reading")
    }
    let buffer = unsafe memory.assumingMemoryBound(to: UInt8.self)
    // The context does not outlive this object, which frees it.
    unsafe context = unsafe library.call.avio_alloc_context(
      buffer, Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { unsafe ForeignReader.of($0)?.read($1, count: $2) ?? apus_error_io }, nil,
      { unsafe ForeignReader.of($0)?.seek(to: $1, whence: $2) ?? Int64(apus_error_io) })
    guard let context = unsafe context else {
      unsafe library.call.av_free(memory)
      throw MediaError(.memory, "not enough memory for reading")
    }
    if bytes.pull != nil { unsafe context.pointee.seekable = 0 }
  }

  deinit {
    // The library may have replaced the buffer.
    if let context = unsafe context { unsafe library.call.av_free(context.pointee.buffer) }
    unsafe library.call.avio_context_free(&context)
  }

  @unsafe private static func of(_ opaque: UnsafeMutableRawPointer?) -> ForeignReader? {
    unsafe opaque.map { unsafe Unmanaged<ForeignReader>.fromOpaque($0).takeUnretainedValue() }
  }

  @unsafe private func read(_ buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    guard !interruption.isInterrupted else { return apus_error_exit }
    guard let buffer = unsafe buffer, count > 0, failure == nil else { return apus_error_io }
    if bytes.pull != nil { return unsafe readPulled(buffer, count: Int(count)) }
    let end = min(bytes.count, position + Int(count))
    guard position < end else { return apus_error_eof }
    let range = position..<end
    let memory = unsafe UnsafeMutableBufferPointer(start: buffer, count: range.count)
    var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
    do throws(MediaError) {
      try bytes.read(range, &output)
    } catch {
      failure = error
      _ = unsafe output.finalize(for: memory)
      return apus_error_io
    }
    let read = unsafe output.finalize(for: memory)
    guard read > 0 else { return apus_error_eof }
    position += read
    return Int32(read)
  }

  /// Returns available bytes; waits if there are none.
  @unsafe private func readPulled(_ buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
    do throws(MediaError) {
      try pull(1)
    } catch {
      failure = error
      return apus_error_io
    }
    guard !pulled.isEmpty else { return apus_error_eof }
    let part = pulled.prefix(count)
    for (place, byte) in part.enumerated() { unsafe buffer[place] = byte }
    pulled.removeFirst(part.count)
    return Int32(part.count)
  }

  /// Waits until this many bytes are available, or the last.
  private func pull(_ count: Int) throws(MediaError) {
    guard let next = bytes.pull else { return }
    while pulled.count < count, !isOver {
      if let more = try next() { pulled += more } else { isOver = true }
    }
  }

  private func seek(to offset: Int64, whence: Int32) -> Int64 {
    guard bytes.pull == nil else { return Int64(apus_error_invalid) }
    let base: Int
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(bytes.count)
    case 0: base = 0
    case 1: base = position
    case 2: base = bytes.count
    default: return Int64(apus_error_invalid)
    }
    let (target, overflow) = Int64(base).addingReportingOverflow(offset)
    guard !overflow, target >= 0, let place = Int(exactly: target) else {
      return Int64(apus_error_invalid)
    }
    position = place
    return target
  }

  /// Reads this many bytes from the start, without moving the position.
  func prefix(_ count: Int) throws(MediaError) -> [UInt8] {
    if bytes.pull != nil {
      try pull(count)
      return Array(pulled.prefix(count))
    }
    let range = 0..<min(count, bytes.count)
    return try [UInt8](
      capacity: range.count,
      written: { output throws(MediaError) in
        try bytes.read(range, &output)
      })
  }
}
