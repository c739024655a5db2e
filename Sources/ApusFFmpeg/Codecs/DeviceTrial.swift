// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// One way to open an encoder that needs a device.
struct DeviceTrial {
  private let encoder: String
  private let device: CodecDevice
  /// The format of the encoder's input.
  private let format: AVPixelFormat
  /// The format in the memory of the device; `nil` if the encoder uploads pictures itself.
  private let samples: AVPixelFormat?

  /// The formats that an encoder is most likely to accept.
  private static let usual = [
    AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P, AV_PIX_FMT_P010LE, AV_PIX_FMT_BGR0, AV_PIX_FMT_BGRA,
  ]

  /// - Parameter way: a way in which the encoder can be used, according to the library.
  static func all(
    _ encoder: CodecFacts, _ way: AVCodecHWConfig, _ device: CodecDevice
  ) -> [DeviceTrial] {
    if way.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_FRAMES_CTX) != 0,
      way.pix_fmt != AV_PIX_FMT_NONE
    {
      let has = device.samples
      let likely = usual.filter(has.contains)
      let samples = has.isEmpty ? usual : likely.isEmpty ? Array(has.prefix(4)) : likely
      return samples.map {
        DeviceTrial(encoder: encoder.id, device: device, format: way.pix_fmt, samples: $0)
      }
    }
    guard way.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0 else { return [] }
    var formats = [way.pix_fmt]
    if way.pix_fmt == AV_PIX_FMT_NONE {
      formats = encoder.samples.filter { $0.bitDepth > 0 }.prefix(4).compactMap {
        unsafe device.list.library.call.av_get_pix_fmt($0.name)
      }
    }
    return formats.map {
      DeviceTrial(encoder: encoder.id, device: device, format: $0, samples: nil)
    }
  }

  /// Opens the encoder and closes it.
  func open(width: Int, height: Int) throws(MediaError) {
    let library = device.list.library
    let settings = VideoEncoderSettings(
      encoder, width: width, height: height, pixelFormat: "", timescale: 25)
    _ = try unsafe EncoderContext(encoder, options: [], library: library) {
      context throws(MediaError) in
      unsafe try settings.set(on: context, format: format)
      // The context releases either of these.
      if let samples {
        unsafe context.pointee.sw_pix_fmt = samples
        unsafe context.pointee.hw_frames_ctx = try device.frames(
          format, samples, width: width, height: height)
      } else {
        unsafe context.pointee.hw_device_ctx = try device.reference()
      }
    }
  }
}
