// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A picture of a video, decoded or created. Its samples are shared with other holders, and copied before they are
/// written to.
@safe public final class VideoFrame: @unchecked Sendable {
  // The library counts references atomically. As with `Picture`, its holder decides who writes to it, and when.
  let library: LibAV
  let frame: UnsafeMutablePointer<AVFrame>
  /// The presentation time.
  public let time: RationalTime
  /// The duration in the units of `time`; 0 where unknown.
  public let duration: Int64

  /// Takes ownership of the frame.
  init(
    owning frame: UnsafeMutablePointer<AVFrame>, time: RationalTime, duration: Int64,
    library: LibAV
  ) {
    unsafe self.frame = unsafe frame
    self.time = time
    self.duration = duration
    self.library = library
  }

  /// Creates a picture whose samples are not set.
  public convenience init(
    _ format: PictureFormat, time: RationalTime, duration: Int64 = 0,
    traits: PictureTraits = PictureTraits()
  ) throws(MediaError) {
    let library = try LibAV.load()
    guard let name = format.pixelFormatName else {
      throw MediaError(
        .unsupported, "no pixel format has \(format.chroma.name) samples of \(format.bitDepth) bits"
      )
    }
    guard let frame = unsafe library.call.av_frame_alloc() else { throw .noMemory("a picture") }
    unsafe self.init(owning: frame, time: time, duration: duration, library: library)
    unsafe frame.pointee.width = Int32(clamping: format.width)
    unsafe frame.pointee.height = Int32(clamping: format.height)
    unsafe frame.pointee.format = library.call.av_get_pix_fmt(name).rawValue
    let code = unsafe library.call.av_frame_get_buffer(frame, 0)
    guard code >= 0 else {
      throw MediaError(
        .memory, "a picture of \(format.width) × \(format.height): \(library.text(code))")
    }
    try unsafe library.stamp(traits, on: frame)
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe library.call.av_frame_free(&frame)
  }

  /// The width in pixels, after cropping.
  public var width: Int { unsafe Int(frame.pointee.width) }
  /// The height in pixels, after cropping.
  public var height: Int { unsafe Int(frame.pointee.height) }

  /// Whether it was decoded without any other.
  public var isKey: Bool { unsafe apus_is_key(frame) }

  /// The library's name for the layout of its samples: `yuv420p10le`.
  public var pixelFormat: String {
    let name = unsafe library.call.av_get_pix_fmt_name(AVPixelFormat(frame.pointee.format))
    return unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
  }

  /// The format; `nil` for samples that are not in planes of 8 to 16 bits.
  public var format: PictureFormat? {
    do throws(MediaError) {
      return try unsafe library.view(of: frame).format
    } catch {
      return nil
    }
  }

  /// The format of planes that can hold its samples, whatever their layout: without transparency, and with at least as
  /// much chroma.
  public var fullestFormat: PictureFormat? {
    if let format { return format }
    return unsafe library.description(of: frame).map { description in
      let shifts = unsafe (description.pointee.log2_chroma_w, description.pointee.log2_chroma_h)
      let chroma: Chroma =
        switch shifts {
        case _ where unsafe description.pointee.nb_components < 3: .monochrome
        case (_, 0) where shifts.0 > 0: .yuv422
        case (0, _): .yuv444
        default: .yuv420
        }
      let depth = unsafe Int(description.pointee.comp.0.depth)
      var format = PictureFormat(
        width: width, height: height, chroma: chroma, bitDepth: min(max(depth, 8), 16))
      format.isRGB = unsafe description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
      return format
    }
  }

  /// Whether its samples include transparency.
  public var hasAlpha: Bool {
    unsafe library.description(of: frame).map {
      unsafe $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    } ?? false
  }

  /// The interpretation of its samples. Where the stream leaves it open, decoders set it from the container.
  public var traits: PictureTraits { unsafe library.traits(of: frame) }

  /// Returns the same picture at another time, with the same samples.
  public func moved(to time: RationalTime, duration: Int64) throws(MediaError) -> VideoFrame {
    guard let frame = unsafe library.call.av_frame_clone(frame) else {
      throw .noMemory("a picture")
    }
    return unsafe VideoFrame(owning: frame, time: time, duration: duration, library: library)
  }
}
