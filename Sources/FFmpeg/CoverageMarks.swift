// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

/// Marks in the memory of a picture that decoding writes over. One that is still there afterwards stands where no
/// slice was decoded, of which libavcodec says nothing.
///
/// A mark is eight luma samples in the middle of a block of 16 × 16; the loop filters of a decoded neighbour do not
/// reach it.
@safe final class CoverageMarks {
  @unsafe private struct Marked {
    let base: UnsafeMutableRawPointer
    let stride: Int
    let columns: Int
    let rows: Int
    let bytesPerSample: Int
  }

  private let library: LibAV
  /// The pictures of the last samples, the newest last.
  private var pictures: [Marked] = unsafe []
  private static let block = 16

  init(_ library: LibAV) { self.library = library }

  func forget() { unsafe pictures = [] }

  /// Takes the place of libavcodec's own allocation, of which it makes use.
  @unsafe static func allocate(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?,
    _ flags: Int32
  ) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame,
      let owner = unsafe context.pointee.opaque
    else { return apus_error_eof }
    let marks = unsafe Unmanaged<CoverageMarks>.fromOpaque(owner).takeUnretainedValue()
    let code = unsafe marks.library.call.avcodec_default_get_buffer2?(context, frame, flags) ?? -1
    if code >= 0 { unsafe marks.mark(frame) }
    return code
  }

  private func mark(_ frame: UnsafeMutablePointer<AVFrame>) {
    let format = unsafe AVPixelFormat(frame.pointee.format)
    guard let base = unsafe frame.pointee.data.0,
      let description = library.call.av_pix_fmt_desc_get?(format)
    else { return }
    let marked = unsafe Marked(
      base: UnsafeMutableRawPointer(base), stride: Int(frame.pointee.linesize.0),
      columns: Int(frame.pointee.width) / Self.block, rows: Int(frame.pointee.height) / Self.block,
      bytesPerSample: description.pointee.comp.0.depth > 8 ? 2 : 1)
    for row in unsafe 0..<marked.rows {
      for column in unsafe 0..<marked.columns {
        unsafe place(marked, column, row).storeBytes(of: value(column, row), as: UInt64.self)
      }
    }
    unsafe pictures.append(marked)
  }

  /// The first block of a picture, in its luma samples, that was not decoded.
  @unsafe func uncovered(_ frame: UnsafeMutablePointer<AVFrame>) -> (x: Int, y: Int)? {
    guard let data = unsafe frame.pointee.data.0 else { return nil }
    let start = UnsafeMutableRawPointer(data)
    // Cropping moves the first sample on; it stays in the rows of its picture.
    guard
      let marked = unsafe pictures.last(where: {
        unsafe start >= $0.base && start < $0.base + $0.stride * max($0.rows, 1) * Self.block
      })
    else { return nil }
    for row in unsafe 0..<marked.rows {
      for column in unsafe 0..<marked.columns {
        let found = unsafe place(marked, column, row).load(as: UInt64.self)
        if found == value(column, row) { return (column * Self.block, row * Self.block) }
      }
    }
    return nil
  }

  private func place(_ marked: Marked, _ column: Int, _ row: Int) -> UnsafeMutableRawPointer {
    let middle = Self.block / 2
    return unsafe marked.base + (row * Self.block + middle) * marked.stride
      + (column * Self.block + middle - 4) * marked.bytesPerSample
  }

  /// Different from block to block, so that no picture holds it by chance.
  private func value(_ column: Int, _ row: Int) -> UInt64 {
    var value = UInt64(truncatingIfNeeded: column << 20 ^ row &+ 1) &* 0x9e37_79b9_7f4a_7c15
    value = (value ^ value >> 29) &* 0xbf58_476d_1ce4_e5b9
    return value ^ value >> 32
  }
}
