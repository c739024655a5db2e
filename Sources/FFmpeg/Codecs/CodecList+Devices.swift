// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

extension CodecList {
  /// The kind of device that a codec cannot do without; empty for none.
  @unsafe func device(of codec: UnsafePointer<AVCodec>, _ role: CodecFacts.Role) -> String {
    let native = unsafe UInt32(bitPattern: codec.pointee.capabilities) & apus_codec_hardware
    if role == .decoder, native == 0 { return "" }
    var index: Int32 = 0
    while let way = unsafe call.avcodec_get_hw_config?(codec, index) {
      let type = unsafe way.pointee.device_type
      if type != AV_HWDEVICE_TYPE_NONE, let name = call.av_hwdevice_get_type_name?(type) {
        return unsafe String(cString: name)
      }
      index += 1
    }
    return ""
  }

  /// Opens a device and lets it go; answers why that does not work, `nil` where it does.
  ///
  /// - Parameters:
  ///   - kind: by the library's name: `vaapi`.
  ///   - node: the path of the device; `nil` leaves the choice to the library.
  public func refusal(ofDevice kind: String, at node: String?) -> String? {
    guard let type = unsafe call.av_hwdevice_find_type_by_name?(kind), type != AV_HWDEVICE_TYPE_NONE
    else { return "is no kind of device that libavutil knows" }
    var device: UnsafeMutablePointer<AVBufferRef>?
    let (code, words) = LibraryLog.listening {
      unsafe call.av_hwdevice_ctx_create?(&device, type, node, nil, 0) ?? -1
    }
    unsafe call.av_buffer_unref?(&device)
    return code >= 0 ? nil : library.text(code, words)
  }
}
