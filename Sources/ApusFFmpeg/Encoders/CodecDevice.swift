// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// An open device of libavutil.
@safe final class CodecDevice {
  let list: CodecList
  let type: AVHWDeviceType
  private let device: UnsafeMutablePointer<AVBufferRef>

  /// - Parameters:
  ///   - kind: the library's name of the kind: `vaapi`.
  ///   - node: the path of the device; `nil` leaves the choice to the library.
  init(_ kind: String, at node: String?, of list: CodecList) throws(MediaError) {
    self.list = list
    type = unsafe list.call.av_hwdevice_find_type_by_name(kind)
    guard type != AV_HWDEVICE_TYPE_NONE else {
      throw MediaError(.unsupported, "is not a kind of device that libavutil knows")
    }
    var created: UnsafeMutablePointer<AVBufferRef>?
    let type = type
    let (code, words) = LibraryLog.listening {
      unsafe list.call.av_hwdevice_ctx_create(&created, type, node, nil, 0)
    }
    guard code >= 0, let device = unsafe created else {
      unsafe list.call.av_buffer_unref(&created)
      throw MediaError(.missing, list.library.text(code, words))
    }
    unsafe self.device = unsafe device
  }

  deinit {
    var device: UnsafeMutablePointer<AVBufferRef>? = unsafe device
    unsafe list.call.av_buffer_unref(&device)
  }

  /// Returns a new reference, which the caller owns.
  @unsafe func reference() throws(MediaError) -> UnsafeMutablePointer<AVBufferRef> {
    guard let reference = unsafe list.call.av_buffer_ref(device) else {
      throw .noMemory("a device")
    }
    return unsafe reference
  }

  /// The forms of samples that its pictures may have; empty if they are unknown.
  var samples: [AVPixelFormat] {
    var limits = unsafe list.call.av_hwdevice_get_hwframe_constraints(device, nil)
    defer { unsafe list.call.av_hwframe_constraints_free(&limits) }
    guard var format = unsafe limits?.pointee.valid_sw_formats else { return [] }
    var result: [AVPixelFormat] = []
    while unsafe format.pointee != AV_PIX_FMT_NONE {
      unsafe result.append(format.pointee)
      unsafe format += 1
    }
    return result
  }

  /// Allocates memory for a number of pictures, which the caller owns.
  ///
  /// - Parameter format: the library's format for pictures in the memory of this kind of device.
  @unsafe func frames(
    _ format: AVPixelFormat, _ samples: AVPixelFormat, width: Int, height: Int, count: Int
  ) throws(MediaError) -> UnsafeMutablePointer<AVBufferRef> {
    var created = unsafe list.call.av_hwframe_ctx_alloc(device)
    guard let frames = unsafe created else { throw .noMemory("pictures of a device") }
    let context = unsafe apus_frames_of(frames)
    unsafe context?.pointee.format = format
    unsafe context?.pointee.sw_format = samples
    unsafe context?.pointee.width = Int32(clamping: width)
    unsafe context?.pointee.height = Int32(clamping: height)
    unsafe context?.pointee.initial_pool_size = Int32(clamping: count)
    let (code, words) = LibraryLog.listening { unsafe list.call.av_hwframe_ctx_init(frames) }
    guard code >= 0 else {
      unsafe list.call.av_buffer_unref(&created)
      throw MediaError(
        .unsupported,
        "its device has no memory for such pictures: \(list.library.text(code, words))")
    }
    return unsafe frames
  }

  /// Copies a picture into memory of the device, with its properties. The caller owns the result.
  @unsafe func upload(
    _ picture: UnsafeMutablePointer<AVFrame>, to frames: UnsafeMutablePointer<AVBufferRef>
  ) throws(MediaError) -> UnsafeMutablePointer<AVFrame> {
    let library = list.library
    var created = unsafe library.call.av_frame_alloc()
    guard let copy = unsafe created else { throw .noMemory("a picture") }
    let (code, words) = LibraryLog.listening {
      let code = unsafe list.call.av_hwframe_get_buffer(frames, copy, 0)
      guard code >= 0 else { return code }
      let moved = unsafe list.call.av_hwframe_transfer_data(copy, picture, 0)
      return moved < 0 ? moved : unsafe library.call.av_frame_copy_props(copy, picture)
    }
    guard code >= 0 else {
      unsafe library.call.av_frame_free(&created)
      throw MediaError(
        .unsupported, "a picture cannot be put on its device: \(library.text(code, words))")
    }
    return unsafe copy
  }
}
