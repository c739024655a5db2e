// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The output of libavformat: an `AVIOContext` whose functions collect the pieces of the container.
@safe final class ForeignWriter {
  private let library: LibAVFormat
  private var position = 0
  private var end = 0
  private var pieces: [ForeignMuxer.Piece] = []
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private static let bufferSize = 1 << 16

  /// - Parameter canReturn: whether bytes that were written may be overwritten.
  init(canReturn: Bool, library: LibAVFormat) throws(MediaError) {
    self.library = library
    guard let memory = unsafe library.call.av_malloc(Self.bufferSize) else {
      throw .noMemory("writing")
    }
    let buffer = unsafe memory.assumingMemoryBound(to: UInt8.self)
    // The context does not outlive this object, which frees it.
    unsafe context = unsafe library.call.avio_alloc_context(
      buffer, Int32(Self.bufferSize), 1, Unmanaged.passUnretained(self).toOpaque(), nil,
      { unsafe ForeignWriter.of($0)?.write(UnsafePointer($1), count: $2) ?? apus_error_io },
      { unsafe ForeignWriter.of($0)?.seek(to: $1, whence: $2) ?? Int64(apus_error_io) })
    guard let context = unsafe context else {
      unsafe library.call.av_free(memory)
      throw .noMemory("writing")
    }
    if !canReturn { unsafe context.pointee.seekable = 0 }
  }

  deinit {
    // The library may have replaced the buffer.
    if let context = unsafe context { unsafe library.call.av_free(context.pointee.buffer) }
    unsafe library.call.avio_context_free(&context)
  }

  /// Returns the pieces written since the last call, in order.
  func takePieces() -> [ForeignMuxer.Piece] {
    defer { pieces = [] }
    return pieces
  }

  @unsafe private static func of(_ opaque: UnsafeMutableRawPointer?) -> ForeignWriter? {
    unsafe opaque.map { unsafe Unmanaged<ForeignWriter>.fromOpaque($0).takeUnretainedValue() }
  }

  @unsafe private func write(_ bytes: UnsafePointer<UInt8>?, count: Int32) -> Int32 {
    guard let bytes = unsafe bytes, count >= 0 else { return apus_error_invalid }
    let written = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
    if let last = pieces.last, last.offset + last.bytes.count == position {
      unsafe pieces[pieces.count - 1].bytes.append(contentsOf: written)
    } else {
      unsafe pieces.append((offset: position, bytes: Array(written)))
    }
    position += Int(count)
    end = max(end, position)
    return count
  }

  private func seek(to offset: Int64, whence: Int32) -> Int64 {
    let base: Int
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(end)
    case 0: base = 0
    case 1: base = position
    case 2: base = end
    default: return Int64(apus_error_invalid)
    }
    let (target, overflow) = Int64(base).addingReportingOverflow(offset)
    guard !overflow, target >= 0, let place = Int(exactly: target), place <= end else {
      return Int64(apus_error_invalid)
    }
    position = place
    return target
  }
}
