// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusX265
internal import HEVC

/// An encoder of pictures that is opened to see whether it does what its library claims.
struct TrialEncoder {
  static let size = (width: 128, height: 96)
  static let standard = CodecFacts.Samples("yuv420p", bitDepth: 8, chroma: .yuv420)

  private enum Coder {
    case x265(X265Encoder)
    case library(VideoEncoder)
  }

  struct Packet {
    var bytes: [UInt8]
    var decodeTime: Int64
    var presentationTime: Int64
    var isKey: Bool
  }

  private let coder: Coder
  private let codec: String
  let format: PictureFormat
  /// The profile as declared by the stream itself, in the standard's words; `nil` where it is not read.
  let profile: String?
  /// The chroma format declared by the stream, where decoders output another one.
  let chroma: Chroma?

  /// Opens an encoder for the first material that it accepts.
  ///
  /// - Parameters:
  ///   - profile: the profile in the library's words; `nil` leaves it to the encoder.
  ///   - size: the size of the pictures; `nil` for whatever it accepts, small ones if possible.
  static func opened(
    _ facts: CodecFacts, _ samples: CodecFacts.Samples, profile: String? = nil,
    size: (width: Int, height: Int)? = nil
  ) throws(MediaError) -> TrialEncoder {
    var refusal: MediaError?
    for material in TrialMaterial.all(facts, profile: profile, size: size) {
      do throws(MediaError) {
        return try TrialEncoder(facts, samples, material)
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? MediaError(.misuse, "there are no pictures to try \(facts.id) with")
  }

  private init(
    _ facts: CodecFacts, _ samples: CodecFacts.Samples, _ material: TrialMaterial
  ) throws(MediaError) {
    codec = facts.codec
    let profile = material.profile
    format = PictureFormat(
      width: material.width, height: material.height, chroma: samples.chroma ?? .yuv420,
      bitDepth: max(samples.bitDepth, 8))
    if facts.library.hasPrefix("libx265") {
      coder = .x265(try Self.x265(format, profile))
      self.profile = Self.profile(of: coder, codec)
      chroma = nil
      return
    }
    var settings = VideoEncoderSettings(
      facts.id, width: material.width, height: material.height, pixelFormat: samples.name,
      timescale: 25)
    if material.isFullRange {
      settings.traits.colour = ColourDescription(
        primaries: 2, transfer: 2, matrix: 2, isFullRange: true)
    }
    settings.frameRate = Fraction(25, 1)
    settings.threads = 1
    settings.bitRate = 4_000_000
    settings.profile = profile
    // It would otherwise take seconds for a few pictures.
    if facts.id == "libaom-av1" { settings.options = [.init("cpu-used", "8")] }
    if facts.id == "librav1e" { settings.options = [.init("speed", "10")] }
    if facts.id == "libsvtav1" { settings.options = [.init("preset", "12")] }
    let encoder = try VideoEncoder(settings)
    coder = .library(encoder)
    self.profile = Self.profile(of: coder, codec)
    chroma = codec == "h264" ? CodedProfile.chroma(inAVC: encoder.configuration) : nil
  }

  private static func x265(_ format: PictureFormat, _ profile: String?) throws(MediaError)
    -> X265Encoder
  {
    var settings = X265Settings(format)
    settings.preset = "ultrafast"
    settings.profile = profile
    if profile?.hasSuffix("stillpicture") == true {
      settings.parameters = [.init("total-frames", "1")]
    }
    // With checksums, by which the decoder recognizes whether it has the encoder's own pictures.
    settings.parameters += [
      .init("pools", "1"), .init("frame-threads", "1"), .init("crf", "10"), .init("hash", "1"),
    ]
    return try X265Encoder(settings)
  }

  /// Opens an encoder of pictures or sound in the first form that it accepts, and closes it.
  ///
  /// - Parameter size: the size of the pictures; `nil` for any.
  static func open(_ facts: CodecFacts, size: (width: Int, height: Int)?) throws(MediaError) {
    switch facts.medium {
    case .pictures:
      let encoder = try TrialEncoder.opened(facts, facts.samples.first ?? standard, size: size)
      // SVT-AV1 hangs if it is closed before the end of its pictures, or without having had any.
      guard facts.id == "libsvtav1" else { return }
      _ = try encoder.encode(try Pattern.frame(0, encoder.format))
      _ = try encoder.finish()
    case .sound: _ = try SoundTrial.encoder(facts)
    }
  }

  /// Whether the decoder compares checksums of its pictures with the encoder's.
  var hasChecksums: Bool { if case .x265 = coder { true } else { false } }

  private static func profile(of coder: Coder, _ codec: String) -> String? {
    switch coder {
    case .x265(let encoder): CodedProfile.hevc(encoder.headers)
    case .library(let encoder):
      switch codec {
      case "h264": CodedProfile.avc(encoder.configuration)
      case "hevc": CodedProfile.hevc(AnnexB.nalUnits(in: encoder.configuration))
      default: nil
      }
    }
  }

  /// The description of the stream for a decoder.
  var stream: CodedStream {
    var stream =
      switch coder {
      // Parameter sets as a byte stream, as the samples are.
      case .x265(let encoder):
        CodedStream("hevc", configuration: AnnexB.bytes(of: encoder.headers), timescale: 25)
      case .library(let encoder): encoder.stream(codec)
      }
    (stream.width, stream.height) = (format.width, format.height)
    return stream
  }

  func encode(_ frame: VideoFrame) throws(MediaError) -> [Packet] {
    switch coder {
    case .x265(let encoder):
      let units = try unsafe frame.withView { view throws(MediaError) in
        return try unsafe encoder.encode(view, time: frame.time.value)
      }
      return (units ?? []).map(Self.packet)
    case .library(let encoder):
      try encoder.send(frame)
      return try Self.ready(encoder)
    }
  }

  func finish() throws(MediaError) -> [Packet] {
    switch coder {
    case .x265(let encoder):
      return try encoder.finish().map(Self.packet)
    case .library(let encoder):
      try encoder.finish()
      return try Self.ready(encoder)
    }
  }

  private static func ready(_ encoder: VideoEncoder) throws(MediaError) -> [Packet] {
    var packets: [Packet] = []
    while let packet = try encoder.next() {
      packets.append(
        Packet(
          bytes: packet.bytes, decodeTime: packet.decodeTime.value,
          presentationTime: packet.presentationTime.value, isKey: packet.isKey))
    }
    return packets
  }

  private static func packet(_ picture: EncodedPicture) -> Packet {
    Packet(
      bytes: picture.byteStream, decodeTime: picture.decodeTime,
      presentationTime: picture.presentationTime, isKey: picture.isKey)
  }
}

extension EncodedPicture {
  /// The payload with start codes in place of lengths, which have the same size.
  fileprivate var byteStream: [UInt8] {
    var bytes = payload
    var index = 0
    while index + 4 <= bytes.count {
      let length = Int(bigEndianBytes: bytes[index..<index + 4])
      bytes.replaceSubrange(index..<index + 4, with: [0, 0, 0, 1])
      index += 4 + length
    }
    return bytes
  }
}
