// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// One way to open an encoder that needs a device.
@safe struct DeviceWay {
  private let device: CodecDevice
  /// The format of the encoder's input.
  let format: AVPixelFormat
  /// The format in the memory of the device; `nil` if the encoder uploads pictures itself.
  private let samples: AVPixelFormat?

  /// The formats that an encoder is most likely to accept.
  private static let usual = [
    AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P, AV_PIX_FMT_P010LE, AV_PIX_FMT_BGR0, AV_PIX_FMT_BGRA,
  ]

  /// - Parameter way: a way in which the encoder can be used, according to the library.
  private static func all(
    _ encoder: CodecFacts, _ way: AVCodecHWConfig, _ device: CodecDevice
  ) -> [DeviceWay] {
    if way.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_FRAMES_CTX) != 0,
      way.pix_fmt != AV_PIX_FMT_NONE
    {
      let has = device.samples
      let likely = usual.filter(has.contains)
      let samples = has.isEmpty ? usual : likely.isEmpty ? Array(has.prefix(4)) : likely
      return samples.map { DeviceWay(device: device, format: way.pix_fmt, samples: $0) }
    }
    guard way.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0 else { return [] }
    var formats = [way.pix_fmt]
    if way.pix_fmt == AV_PIX_FMT_NONE {
      formats = encoder.samples.filter { $0.bitDepth > 0 }.compactMap {
        unsafe device.list.library.call.av_get_pix_fmt($0.name)
      }
    }
    return formats.map { DeviceWay(device: device, format: $0, samples: nil) }
  }

  /// Returns the ways in which an encoder can be used on a device.
  static func all(_ encoder: CodecFacts, on device: CodecDevice) throws(MediaError) -> [DeviceWay] {
    guard let codec = unsafe device.list.library.call.avcodec_find_encoder_by_name(encoder.id)
    else { throw MediaError(.unsupported, "this libavcodec has no encoder \(encoder.id)") }
    var ways: [DeviceWay] = []
    var index: Int32 = 0
    while let way = unsafe device.list.call.avcodec_get_hw_config(codec, index)?.pointee {
      index += 1
      if way.device_type == device.type { ways += all(encoder, way, device) }
    }
    return ways
  }

  /// Whether pictures of this format are what it uploads.
  func takes(_ format: AVPixelFormat) -> Bool { (samples ?? self.format) == format }

  /// Opens the encoder and closes it.
  func open(_ encoder: String, width: Int, height: Int) throws(MediaError) {
    let settings = VideoEncoderSettings(
      encoder, width: width, height: height, pixelFormat: "", timescale: 25)
    _ = try unsafe EncoderContext(encoder, options: [], library: device.list.library) {
      context throws(MediaError) in
      unsafe try settings.set(on: context, format: format)
      unsafe try set(on: context, pictures: 4)
    }
  }

  /// Gives an encoder the device, or memory on it. Its size must be set.
  ///
  /// - Parameter pictures: how many pictures are on the device at a time; some devices cannot allocate more later.
  @unsafe func set(
    on context: UnsafeMutablePointer<AVCodecContext>, pictures: Int
  ) throws(MediaError) {
    // The context releases either of these.
    if let samples {
      unsafe context.pointee.sw_pix_fmt = samples
      unsafe context.pointee.hw_frames_ctx = try device.frames(
        format, samples, width: Int(context.pointee.width), height: Int(context.pointee.height),
        count: pictures)
    } else {
      unsafe context.pointee.hw_device_ctx = try device.reference()
    }
  }

  /// Copies a picture to the device, with its properties; `nil` if the encoder does that itself. The caller owns the
  /// result.
  @unsafe func uploaded(
    _ picture: UnsafeMutablePointer<AVFrame>, for context: UnsafeMutablePointer<AVCodecContext>
  ) throws(MediaError) -> UnsafeMutablePointer<AVFrame>? {
    guard samples != nil, let frames = unsafe context.pointee.hw_frames_ctx else { return nil }
    return try unsafe device.upload(picture, to: frames)
  }
}
