// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The pictures that a decoder allocates for one coded picture, each with its marks.
@safe final class PictureBuffers {
  private let library: LibAV
  /// The pictures in the order of their allocation.
  private var pictures: [CoverageMarks] = unsafe []

  init(_ library: LibAV) { self.library = library }

  func forget() { unsafe pictures = [] }

  /// The number of pictures since the last reset: if it exceeds the number of samples, the decoder invented a picture
  /// to which others refer.
  var count: Int { unsafe pictures.count }

  /// Replaces libavcodec's own allocation, which it calls.
  @unsafe static func allocate(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?,
    _ flags: Int32
  ) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame,
      let owner = unsafe context.pointee.opaque
    else { return apus_error_eof }
    let buffers = unsafe Unmanaged<PictureBuffers>.fromOpaque(owner).takeUnretainedValue()
    let code =
      unsafe buffers.library.call.avcodec_default_get_buffer2(context, frame, flags)
    if code >= 0 { unsafe buffers.mark(frame) }
    return code
  }

  private func mark(_ frame: UnsafeMutablePointer<AVFrame>) {
    let format = unsafe AVPixelFormat(frame.pointee.format)
    guard let base = unsafe frame.pointee.data.0,
      let description = unsafe library.call.av_pix_fmt_desc_get(format)
    else { return }
    let marks = unsafe CoverageMarks(
      base: UnsafeMutableRawPointer(base), stride: Int(frame.pointee.linesize.0),
      width: Int(frame.pointee.width), height: Int(frame.pointee.height),
      bytesPerSample: description.pointee.comp.0.depth > 8 ? 2 : 1)
    unsafe pictures.append(marks)
  }

  /// Returns the first block of a picture that was not decoded, in luma samples before cropping.
  @unsafe func uncovered(_ frame: UnsafeMutablePointer<AVFrame>) -> (x: Int, y: Int)? {
    guard let data = unsafe frame.pointee.data.0 else { return nil }
    let start = UnsafeMutableRawPointer(data)
    // Cropping moves the first sample, which is still inside its picture.
    let marks = unsafe pictures.last { unsafe $0.contains(start) }
    return unsafe marks?.uncovered()
  }
}
