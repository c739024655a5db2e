// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import ISOBMFF

/// An audio sample entry: ISO/IEC 14496-12, 12.2.3, with what each codec adds.
struct AudioEntry: Sendable {
  private var type: FourCC
  private var configuration: [Node]
  private var sampleRate: Int
  private var channels: Int
  private var sampleSize: UInt16 = 16
  /// The number of samples in a frame, for QuickTime's form of AAC.
  private var isAAC = false

  init(_ entry: MovieEntry, of track: CodedTrack, in style: MovieStyle) throws {
    sampleRate = track.sampleRate
    channels = track.channels
    switch entry.format {
    case .aac(let bytes):
      let config = try AudioSpecificConfig(bytes)
      isAAC = true
      type = "mp4a"
      sampleRate = config.sampleRate ?? track.sampleRate
      channels = config.channels ?? max(track.channels, 2)
      configuration = [ObjectType(0x40).description(.sound, bytes)]
    case .other(let code, _) where code == ".mp3" || code == ".mp2":
      let frame = try MPEGAudioHeader(try Self.firstBytes(of: entry, track, count: 4))
      let isNamed = code == ".mp2" && style == .quickTime
      type = isNamed ? code : "mp4a"
      sampleRate = frame.sampleRate
      channels = frame.channels
      configuration = isNamed ? [] : [ObjectType(frame).description(.sound)]
    case .other("dtsc", _):
      type = "mp4a"
      let frame = try Self.firstBytes(of: entry, track, count: .max)
      configuration = [ObjectType(ofDTS: frame).description(.sound)]
    case .other("mlpa", _):
      let box = try TrueHDSpecific(firstOf: try Self.firstBytes(of: entry, track, count: 32))
      type = "mlpa"
      sampleRate = box.sampleRate ?? track.sampleRate
      channels = box.channels ?? track.channels
      configuration = [Node("dmlp", box)]
    case .other("Opus", let bytes):
      let box = try OpusSpecific(header: bytes)
      type = "Opus"
      sampleRate = 48000
      channels = Int(box.outputChannelCount)
      configuration = [Node("dOps", box)]
    case .other("fLaC", let bytes):
      let (box, information) = try FLACStreamInformation.read(bytes)
      type = "fLaC"
      sampleRate = Int(information.sampleRate)
      channels = Int(information.channelsMinus1) + 1
      sampleSize = UInt16(information.bitsPerSampleMinus1) + 1
      configuration = [Node("dfLa", box)]
    case .other("alac", let bytes):
      let box = try Self.lossless(bytes, track)
      type = "alac"
      sampleRate = Int(box.sampleRate)
      channels = Int(box.channelCount)
      sampleSize = UInt16(box.bitDepth)
      configuration = [Node("alac", box)]
    case .other(let code, let bytes) where code == "ac-3" || code == "ec-3":
      type = code
      let read =
        bytes.isEmpty
        ? try DolbyFrame.read(try Self.firstBytes(of: entry, track, count: .max), as: code)
        : try DolbyFrame(box: bytes, as: code, track)
      sampleRate = read.sampleRate
      channels = read.channels
      configuration = [read.configuration]
    case .hevc, .avc, .other: throw VideoEntry.failure(track, "has no known sample entry")
    }
  }

  func node(in style: MovieStyle, _ rate: BitRate? = nil) -> Node {
    var audio = AudioSampleEntry()
    audio.sound.channelCount = UInt16(clamping: channels)
    audio.sound.sampleSize = sampleSize
    // Rates that do not fit are given in the configuration only.
    audio.sound.sampleRate = sampleRate <= 0xffff ? UInt32(clamping: sampleRate) << 16 : 0
    // Dolby TrueHD Bitstreams within the ISO Base Media File Format, 3: a whole number.
    if type == "mlpa" { audio.sound.sampleRate = UInt32(clamping: sampleRate) }
    audio.boxes = configuration
    if style == .quickTime, type == "alac" {
      return wrapped(audio, samplesPerPacket: framesPerPacket)
    }
    guard style == .quickTime, isAAC else {
      if let rate { audio.boxes.append(Node("btrt", rate)) }
      return Node(type, audio)
    }
    return wrapped(audio, samplesPerPacket: 1024)
  }

  /// Returns QuickTime's form of an entry for compressed sound.
  private func wrapped(_ entry: AudioSampleEntry, samplesPerPacket: UInt32) -> Node {
    var audio = entry
    var fields = QuickTimeSound.Version1()
    fields.samplesPerPacket = samplesPerPacket
    fields.bytesPerSample = 2
    audio.quickTime = .version1(fields)
    audio.sound.entryVersion = 1
    // Packets of different sizes.
    audio.sound.preDefined = -2
    var format = OriginalFormat()
    format.dataFormat = type
    var wave = SoundDecompression()
    wave.boxes = [Node("frma", format)]
    if isAAC { wave.boxes.append(Node("mp4a", SoundDecompressionMark())) }
    wave.boxes += configuration + [Node(FourCC(0), SoundDecompressionEnd())]
    audio.boxes = [Node("wave", wave)]
    return Node(type, audio)
  }

  /// Reads the configuration of Apple Lossless in the form that decoders have: a box with its header.
  private static func lossless(_ bytes: [UInt8], _ track: CodedTrack) throws
    -> ALACSpecific
  {
    guard bytes.count >= 36, bytes[4..<8].elementsEqual("alac".utf8) else {
      throw VideoEntry.failure(track, "has a configuration of \(bytes.count) bytes, not of 36")
    }
    return try VideoEntry.read(ALACSpecific.self, Array(bytes[12...]), track)
  }

  /// The number of samples in a packet of Apple Lossless.
  private var framesPerPacket: UInt32 {
    (configuration.first?.box as? ALACSpecific)?.frameLength ?? 4096
  }

  /// Returns the duration of a frame: 1024 samples, or 960 where the configuration says so (ISO/IEC 14496-3, 4.4.1).
  static func frameDuration(ofAAC bytes: [UInt8], per timescale: UInt32) -> Int64? {
    let config: AudioSpecificConfig
    do throws(SyntaxError) { config = try AudioSpecificConfig(bytes) } catch { return nil }
    guard let rate = config.sampleRate.flatMap({ UInt32(exactly: $0) }), rate > 0 else {
      return nil
    }
    return RationalTime(config.general.isShort ? 960 : 1024, per: rate).rounded(to: timescale)
  }

  private static func firstBytes(of entry: MovieEntry, _ track: CodedTrack, count: Int)
    throws -> [UInt8]
  {
    guard let first = entry.first else {
      throw VideoEntry.failure(
        track, "has no configuration, and no sample arrived that would give it")
    }
    return try first.prefix(count).bytes()
  }
}
