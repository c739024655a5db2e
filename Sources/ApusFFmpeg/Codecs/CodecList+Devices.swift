// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

extension CodecList {
  /// Returns the kind of device that a codec requires; empty for none.
  @unsafe func device(of codec: UnsafePointer<AVCodec>, _ role: CodecFacts.Role) -> String {
    let native = unsafe UInt32(bitPattern: codec.pointee.capabilities) & apus_codec_hardware
    if role == .decoder, native == 0 { return "" }
    var index: Int32 = 0
    while let way = unsafe call.avcodec_get_hw_config(codec, index) {
      let type = unsafe way.pointee.device_type
      if type != AV_HWDEVICE_TYPE_NONE, let name = unsafe call.av_hwdevice_get_type_name(type) {
        return unsafe String(cString: name)
      }
      index += 1
    }
    return ""
  }

  /// Opens a device and closes it; returns the reason if that fails, `nil` if it works.
  ///
  /// - Parameters:
  ///   - kind: the library's name of the kind: `vaapi`.
  ///   - node: the path of the device; `nil` leaves the choice to the library.
  public func refusal(ofDevice kind: String, at node: String?) -> String? {
    do throws(MediaError) {
      _ = try CodecDevice(kind, at: node, of: self)
      return nil
    } catch {
      return error.message
    }
  }

  /// Opens an encoder for pictures in the memory of its device, or for others that it uploads itself, and closes it.
  ///
  /// - Parameter node: the path of the device; `nil` leaves the choice to the library.
  /// - Throws: the first failure.
  public func open(
    _ encoder: CodecFacts, onDeviceAt node: String?, width: Int, height: Int
  ) throws(MediaError) {
    let device = try CodecDevice(encoder.device, at: node, of: self)
    guard let codec = unsafe library.call.avcodec_find_encoder_by_name(encoder.id) else {
      throw MediaError(.unsupported, "this libavcodec has no encoder \(encoder.id)")
    }
    var refusal: MediaError?
    var index: Int32 = 0
    while let way = unsafe call.avcodec_get_hw_config(codec, index)?.pointee {
      index += 1
      guard way.device_type == device.type else { continue }
      for trial in DeviceTrial.all(encoder, way, device) {
        do throws(MediaError) {
          return try trial.open(width: width, height: height)
        } catch {
          refusal = refusal ?? error
        }
      }
    }
    throw refusal
      ?? MediaError(.unsupported, "\(encoder.id) has no use for the device \(encoder.device)")
  }
}
