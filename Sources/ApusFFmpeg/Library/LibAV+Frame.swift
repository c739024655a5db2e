// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension LibAV {
  var version: String {
    let number = call.avcodec_version()
    return "\(number >> 16).\(number >> 8 & 255).\(number & 255)"
  }

  /// Returns the decoder for a codec; for AV1, the fastest one available.
  @unsafe func decoder(for codec: PictureCodec) -> UnsafePointer<AVCodec>? {
    switch codec {
    case .hevc: return unsafe call.avcodec_find_decoder(AV_CODEC_ID_HEVC)
    case .avc: return unsafe call.avcodec_find_decoder(AV_CODEC_ID_H264)
    case .av1:
      for name in ["libdav1d", "libaom-av1"] {
        if let decoder = unsafe call.avcodec_find_decoder_by_name(name) { return unsafe decoder }
      }
      return unsafe call.avcodec_find_decoder(AV_CODEC_ID_AV1)
    default: return nil
    }
  }

  /// Returns the error that the decoder has marked in a picture that it returned, if any.
  @unsafe func damage(of frame: UnsafePointer<AVFrame>) -> MediaError? {
    let flags = unsafe frame.pointee.decode_error_flags
    if flags & FF_DECODE_ERROR_CONCEALMENT_ACTIVE != 0 {
      return MediaError(.incomplete, "lacks part of its picture, which the decoder concealed")
    }
    if flags != 0 { return MediaError(.corrupt, "contradicts the standard in its slices") }
    if unsafe frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 {
      return MediaError(.corrupt, "is marked as damaged by the decoder")
    }
    return nil
  }

  /// Returns the planes of a frame, in place.
  @unsafe func view(of frame: UnsafePointer<AVFrame>) throws(MediaError) -> PictureView {
    guard let description = unsafe description(of: frame) else {
      throw MediaError(.unsupported, "decodes to samples of an unknown kind")
    }
    let format = try unsafe format(of: frame, description)
    let planes = unsafe [
      (frame.pointee.data.0, frame.pointee.linesize.0),
      (frame.pointee.data.1, frame.pointee.linesize.1),
      (frame.pointee.data.2, frame.pointee.linesize.2),
    ]
    var view = unsafe PictureView(format: format, planes: [])
    for unsafe(base, stride) in unsafe planes.prefix(format.planeCount) {
      guard let base = unsafe base else { throw MediaError(.corrupt, "lacks a plane") }
      unsafe view.planes.append(PictureView.Plane(base: base, stride: Int(stride)))
    }
    return unsafe view
  }

  /// Returns the library's description of the layout of a frame's samples.
  @unsafe func description(of frame: UnsafePointer<AVFrame>) -> UnsafePointer<AVPixFmtDescriptor>? {
    unsafe call.av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format))
  }

  @unsafe private func format(
    of frame: UnsafePointer<AVFrame>, _ description: UnsafePointer<AVPixFmtDescriptor>
  ) throws(MediaError) -> PictureFormat {
    let components = unsafe description.pointee.nb_components
    let shifts = unsafe (description.pointee.log2_chroma_w, description.pointee.log2_chroma_h)
    let depth = unsafe Int(description.pointee.comp.0.depth)
    let parts = unsafe [description.pointee.comp.0, description.pointee.comp.1]
      .prefix(Int(components))
    let isPlanar = parts.allSatisfy { $0.step == (depth > 8 ? 2 : 1) && $0.shift == 0 }
    let chroma: Chroma? =
      switch (components, shifts.0, shifts.1) {
      case (1, _, _): .monochrome
      case (3, 1, 1): .yuv420
      case (3, 1, 0): .yuv422
      // Planes of RGB-coded pictures come in the order of the bit stream: G, B, R.
      case (3, 0, 0): .yuv444
      default: nil
      }
    guard let chroma, isPlanar, (8...16).contains(depth) else {
      let name = unsafe String(cString: description.pointee.name)
      throw MediaError(.unsupported, "decodes to \(name), which is unknown")
    }
    return unsafe PictureFormat(
      width: Int(frame.pointee.width), height: Int(frame.pointee.height), chroma: chroma,
      bitDepth: depth)
  }
}
