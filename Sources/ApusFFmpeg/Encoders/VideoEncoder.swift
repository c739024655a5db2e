// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
public import ApusMedia
internal import CApusFFmpeg

/// libavcodec as an encoder of moving pictures. Belongs to one thread at a time.
///
/// Pictures are passed to `send` in presentation order; after each, `next` is called until it returns no more packets.
/// Times of packets are in the settings' timescale, and are exact if the times of the pictures fit it.
@safe public final class VideoEncoder {
  /// The framing of NAL units in packets.
  public enum Framing: Hashable, Sendable {
    /// NAL units after lengths of four bytes, with parameter sets in the configuration (an `avcC`) only: H.264.
    case lengths
    /// NAL units after start codes, with parameter sets also in the configuration, in the same form: HEVC.
    case byteStream
    /// No NAL units.
    case none
  }

  /// The encoder, its library and version: `libx264 (libavcodec 59.37.100)`.
  public var name: String { encoder.name }
  /// The settings as passed to `init`.
  public let settings: VideoEncoderSettings
  /// The framing of NAL units in the packets, which depends on the encoder.
  public let framing: Framing
  /// The data that a container holds outside of the samples: the body of an `avcC`; a byte stream of parameter sets for
  /// HEVC.
  public let configuration: [UInt8]

  private let encoder: EncoderContext
  /// The way to the device that it needs; `nil` for one that works in the memory of this process.
  private let way: DeviceWay?
  private let isConverted: Bool
  private let format: Int32
  private var lastTime: Int64?
  /// The durations of pictures whose packets have not come yet, by their times.
  private var durations: [Int64: Int64] = [:]

  /// Opens an encoder; throws if libavcodec has none of this name or refuses the settings.
  public convenience init(_ settings: VideoEncoderSettings) throws(MediaError) {
    try self.init(settings, facts: nil)
  }

  /// Opens an encoder that may need a device, to which pictures are copied.
  public convenience init(
    _ settings: VideoEncoderSettings, _ facts: CodecFacts
  ) throws(MediaError) {
    try self.init(settings, facts: facts.device.isEmpty ? nil : facts)
  }

  private init(_ settings: VideoEncoderSettings, facts: CodecFacts?) throws(MediaError) {
    let library = try LibAV.load()
    self.settings = settings
    let format = unsafe library.call.av_get_pix_fmt(settings.pixelFormat)
    guard unsafe library.call.av_pix_fmt_desc_get(format) != nil else {
      throw MediaError(.misuse, "there is no pixel format \(settings.pixelFormat)")
    }
    self.format = format.rawValue
    (encoder, way) = try Self.opened(settings, format, facts, library)
    let sets = encoder.configuration
    let isByteStream = sets.starts(with: [0, 0, 1]) || sets.starts(with: [0, 0, 0, 1])
    switch unsafe encoder.context.pointee.codec_id {
    case AV_CODEC_ID_H264:
      let record = isByteStream ? try Self.configuration(ofSets: sets) : sets
      guard let record, record.first == 1 else {
        throw MediaError(.unsupported, "\(settings.codec) has no parameter sets at its start")
      }
      (framing, isConverted, configuration) = (.lengths, isByteStream, record)
    case AV_CODEC_ID_HEVC: (framing, isConverted, configuration) = (.byteStream, false, sets)
    default: (framing, isConverted, configuration) = (.none, false, sets)
    }
  }

  /// The most pictures on a device: those that an encoder looks at before it returns the first.
  private static let mostOnDevice = 32

  private static func opened(
    _ settings: VideoEncoderSettings, _ format: AVPixelFormat, _ facts: CodecFacts?,
    _ library: LibAV
  ) throws(MediaError) -> (EncoderContext, DeviceWay?) {
    var ways: [DeviceWay?] = [nil]
    if let facts {
      let device = try CodecDevice(facts.device, at: settings.deviceNode, of: CodecList())
      ways = try DeviceWay.all(facts, on: device).filter { $0.takes(format) }
    }
    var refusal: MediaError?
    for way in ways {
      do throws(MediaError) {
        let encoder = try unsafe EncoderContext(
          settings.codec, options: settings.allOptions, library: library
        ) { context throws(MediaError) in
          unsafe try settings.set(on: context, format: way?.format ?? format)
          unsafe try way?.set(on: context, pictures: mostOnDevice)
        }
        return (encoder, way)
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal
      ?? MediaError(
        .unsupported, "the device of \(settings.codec) takes no \(settings.pixelFormat)")
  }

  /// Returns the decoder configuration record for an AVC stream that begins with these parameter sets.
  private static func configuration(ofSets stream: [UInt8]) throws(MediaError) -> [UInt8]? {
    var sets = AVCParameterSets()
    for unit in AnnexB.nalUnits(in: stream) { sets.add(unit) }
    do throws(SyntaxError) {
      return try sets.configuration()?.bytes()
    } catch {
      throw MediaError(
        .unsupported, "the encoder's parameter sets cannot be read: \(error.message)")
    }
  }

  /// Returns the NAL units of a byte stream, each preceded by its length in four bytes.
  private static func withLengths(_ stream: [UInt8]) throws(MediaError) -> [UInt8] {
    do throws(SyntaxError) {
      return try AnnexB.lengthPrefixed(stream)
    } catch {
      throw MediaError(.unsupported, error.message)
    }
  }

  /// Returns the description of the packets for a decoder.
  ///
  /// - Parameter codec: the library's name of the codec, or of one decoder.
  public func stream(_ codec: String) -> CodedStream {
    var stream = encoder.stream(codec, timescale: settings.timescale)
    stream.configuration = configuration
    return stream
  }

  /// Adds a picture. Its sides and pixel format must match the settings. Samples are shared, not copied.
  ///
  /// - Parameter isKey: whether it has to become a key frame.
  public func send(_ frame: VideoFrame, isKey: Bool = false) throws(MediaError) {
    guard let time = frame.time.rounded(to: settings.timescale) else {
      throw MediaError(.misuse, "has a time that does not fit units of 1/\(settings.timescale) s")
    }
    if let lastTime, time <= lastTime {
      throw MediaError(.misuse, "comes no later than the picture before it", at: frame.time)
    }
    guard frame.width == settings.width, frame.height == settings.height,
      unsafe frame.frame.pointee.format == format
    else {
      throw MediaError(
        .misuse,
        "is \(frame.width) × \(frame.height) \(frame.pixelFormat), but the encoder needs "
          + "\(settings.width) × \(settings.height) \(settings.pixelFormat)", at: frame.time)
    }
    var shell = unsafe encoder.library.call.av_frame_clone(frame.frame)
    guard let picture = unsafe shell else { throw .noMemory("a picture") }
    defer { unsafe encoder.library.call.av_frame_free(&shell) }
    unsafe picture.pointee.pts = time
    // The type of the originally coded picture does not matter.
    unsafe picture.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    // Captions are the caller's, also where the rate of pictures changes.
    unsafe encoder.library.call.av_frame_remove_side_data(picture, AV_FRAME_DATA_A53_CC)
    if let fields = settings.traits.fields, fields != .progressive {
      unsafe apus_set_fields(picture, fields == .topFirst)
    }
    var copy = try unsafe way?.uploaded(picture, for: encoder.context)
    defer { unsafe encoder.library.call.av_frame_free(&copy) }
    try unsafe encoder.send(copy ?? picture, at: frame.time)
    lastTime = time
    let duration = RationalTime(frame.duration, per: frame.time.timescale)
    durations[time] = duration.rounded(to: settings.timescale) ?? 0
  }

  /// Marks the end of the pictures.
  public func finish() throws(MediaError) { try unsafe encoder.send(nil, at: nil) }

  /// Returns the next packet, in decoding order; `nil` if another picture is needed first, or after the last.
  public func next() throws(MediaError) -> EncodedPacket? {
    let scale = settings.timescale
    return try unsafe encoder.next { packet throws(MediaError) in
      let bytes = unsafe UnsafeBufferPointer(
        start: packet.pointee.data, count: Int(packet.pointee.size))
      let time = unsafe packet.pointee.pts
      let decodeTime = unsafe packet.pointee.dts == apus_no_time ? time : packet.pointee.dts
      let known = durations.removeValue(forKey: time)
      return unsafe EncodedPacket(
        bytes: isConverted ? try Self.withLengths(Array(bytes)) : Array(bytes),
        decodeTime: RationalTime(decodeTime, per: scale),
        presentationTime: RationalTime(time, per: scale),
        duration: known ?? packet.pointee.duration,
        isKey: packet.pointee.flags & AV_PKT_FLAG_KEY != 0)
    }
  }
}
