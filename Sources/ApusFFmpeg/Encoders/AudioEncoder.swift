// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// libavcodec as an encoder of sound. Belongs to one thread at a time, and is used like `VideoEncoder`.
@safe public final class AudioEncoder {
  /// The encoder, its library and version: `aac (libavcodec 59.37.100)`.
  public var name: String { encoder.name }
  /// The settings as passed to `init`.
  public let settings: AudioEncoderSettings
  /// The decoder configuration: an `AudioSpecificConfig` for AAC.
  public let configuration: [UInt8]
  /// The number of samples per channel in each frame but the last; 0 for any.
  public let frameSize: Int
  /// The number of samples that come out before the first that went in; the times of packets are earlier by this much.
  public let priming: Int
  /// The required format of frames, to which an `AudioFilter` converts.
  public let input: AudioFilter.Output

  private let encoder: EncoderContext

  /// Opens an encoder; throws if libavcodec has none of this name or refuses the settings.
  public init(_ settings: AudioEncoderSettings) throws(MediaError) {
    let library = try LibAV.load()
    self.settings = settings
    encoder = try unsafe EncoderContext(
      settings.codec, options: settings.options, library: library
    ) { context throws(MediaError) in
      unsafe try settings.set(on: context, library: library)
    }
    configuration = encoder.configuration
    frameSize = unsafe Int(encoder.context.pointee.frame_size)
    priming = unsafe Int(encoder.context.pointee.initial_padding)
    var input = AudioFilter.Output()
    if let name = unsafe library.call.av_get_sample_fmt_name(encoder.context.pointee.sample_fmt) {
      input.sampleFormat = unsafe String(cString: name)
    }
    input.sampleRate = settings.sampleRate
    input.channelLayout = settings.channelLayout
    input.frameSize = frameSize
    self.input = input
  }

  /// Returns the description of the packets for a decoder.
  ///
  /// - Parameter codec: the library's name of the codec, or of one decoder.
  public func stream(_ codec: String) -> CodedStream {
    encoder.stream(codec, timescale: UInt32(clamping: settings.sampleRate))
  }

  /// Adds a frame with `frameSize` samples.
  public func send(_ frame: AudioFrame) throws(MediaError) {
    guard let time = frame.time.rounded(to: UInt32(clamping: settings.sampleRate)) else {
      throw MediaError(.misuse, "has a time that counts no samples")
    }
    guard frame.sampleFormat == input.sampleFormat, frame.sampleRate == settings.sampleRate,
      unsafe frame.channels == Int(encoder.context.pointee.ch_layout.nb_channels),
      frameSize == 0 || frame.sampleCount <= frameSize
    else {
      throw MediaError(
        .misuse,
        "is \(frame.sampleCount) samples of \(frame.channelLayout) \(frame.sampleFormat) at "
          + "\(frame.sampleRate) Hz, but the encoder needs \(frameSize) of "
          + "\(input.channelLayout) \(input.sampleFormat) at \(input.sampleRate) Hz",
        at: frame.time)
    }
    var shell = unsafe encoder.library.call.av_frame_clone(frame.frame)
    guard let sound = unsafe shell else { throw .noMemory("sound") }
    defer { unsafe encoder.library.call.av_frame_free(&shell) }
    unsafe sound.pointee.pts = time
    try unsafe encoder.send(sound, at: frame.time)
  }

  /// Marks the end of the input.
  public func finish() throws(MediaError) { try unsafe encoder.send(nil, at: nil) }

  /// Returns the next packet, with times in samples; `nil` if more sound is needed first, or after the last.
  public func next() throws(MediaError) -> EncodedPacket? {
    let scale = UInt32(clamping: settings.sampleRate)
    return try unsafe encoder.next { packet in
      let time = unsafe RationalTime(packet.pointee.pts, per: scale)
      return unsafe EncodedPacket(
        bytes: Array(
          UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))),
        decodeTime: time, presentationTime: time, duration: packet.pointee.duration,
        isKey: packet.pointee.flags & AV_PKT_FLAG_KEY != 0)
    }
  }
}

extension AudioEncoderSettings {
  @unsafe fileprivate func set(
    on context: UnsafeMutablePointer<AVCodecContext>, library: LibAV
  ) throws(MediaError) {
    guard sampleRate > 0, let rate = Int32(exactly: sampleRate) else {
      throw MediaError(.misuse, "\(sampleRate) Hz is not encoded")
    }
    unsafe context.pointee.sample_rate = rate
    unsafe context.pointee.time_base = AVRational(num: 1, den: rate)
    if let sampleFormat {
      unsafe context.pointee.sample_fmt =
        unsafe library.call.av_get_sample_fmt(sampleFormat)
    } else if let codec = unsafe context.pointee.codec,
      let formats = unsafe library.sampleFormats(of: codec)
    {
      unsafe context.pointee.sample_fmt = unsafe formats.pointee
    }
    if let bitRate { unsafe context.pointee.bit_rate = Int64(bitRate) }
    let code =
      unsafe library.call.av_channel_layout_from_string(
        &context.pointee.ch_layout, channelLayout)
    guard code >= 0 else {
      throw MediaError(.misuse, "there is no channel layout \(channelLayout)")
    }
  }
}
