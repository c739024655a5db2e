// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The owner of a decoder, which sees each frame that the decoder allocates.
protocol FrameOwner: AnyObject {
  var library: LibAV { get }

  /// - Parameter context: the address of the decoder's context, of which each of its threads has another.
  @unsafe func mark(_ frame: UnsafeMutablePointer<AVFrame>, of context: UInt)
}

extension FrameOwner {
  /// Replaces libavcodec's own allocation, which it calls. The context's `opaque` is the owner.
  @unsafe static func allocate(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?,
    _ flags: Int32
  ) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame,
      let opaque = unsafe context.pointee.opaque
    else { return apus_error_eof }
    let owner = unsafe Unmanaged<Self>.fromOpaque(opaque).takeUnretainedValue()
    let code = unsafe owner.library.call.avcodec_default_get_buffer2(context, frame, flags)
    if code >= 0 { unsafe owner.mark(frame, of: UInt(bitPattern: context)) }
    return code
  }

  /// Returns marks on the luma of a frame; `nil` if it has none in memory.
  @unsafe func marks(on frame: UnsafeMutablePointer<AVFrame>) -> CoverageMarks? {
    let format = unsafe AVPixelFormat(frame.pointee.format)
    guard let base = unsafe frame.pointee.data.0,
      let description = unsafe library.call.av_pix_fmt_desc_get(format)
    else { return nil }
    return unsafe CoverageMarks(
      base: UnsafeMutableRawPointer(base), stride: Int(frame.pointee.linesize.0),
      width: Int(frame.pointee.width), height: Int(frame.pointee.height),
      bytesPerSample: description.pointee.comp.0.depth > 8 ? 2 : 1)
  }
}
