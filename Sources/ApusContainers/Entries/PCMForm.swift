// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusSamples
internal import ISOBMFF

/// The layout of the numbers of uncompressed sound, which movies describe in three ways: by the name of their sample
/// entry (`in24`, `fl32`), by its fields (`lpcm`: QuickTime File Format, Sound Sample Descriptions) or in a box
/// (`pcmC`: ISO/IEC 23003-5, 5.2).
package struct PCMForm: Hashable, Sendable {
  var isFloat = false
  var isSigned = true
  var bits: Int
  var isLittleEndian = false
  var channels: Int
  var sampleRate: Int

  private static let named: [FourCC: (isFloat: Bool, bits: Int)] = [
    "in24": (false, 24), "in32": (false, 32), "fl32": (true, 32), "fl64": (true, 64),
  ]

  /// Returns `nil` for an entry of anything else.
  init?(_ node: Node) {
    guard let entry = node.box as? AudioSampleEntry else { return nil }
    channels = Int(entry.sound.channelCount)
    sampleRate = Int(entry.sound.sampleRate >> 16)
    let version2: QuickTimeSound.Version2? =
      if case .version2(let fields) = entry.quickTime { fields } else { nil }
    if let version2 {
      channels = Int(version2.numAudioChannels)
      sampleRate = Int(clamping: Self.whole(Double(bitPattern: version2.audioSampleRate)))
    }
    if let named = Self.named[node.type] {
      (isFloat, bits) = named
      let wave = node.children.first { $0.type == "wave" }?.children ?? []
      let order = (node.children + wave).lazy.compactMap { $0.box as? AudioEndianness }.first
      isLittleEndian = order?.littleEndian == 1
    } else if node.type == "lpcm", let version2 {
      let flags = version2.formatSpecificFlags
      bits = Int(version2.constBitsPerChannel)
      isFloat = flags & 1 != 0
      isLittleEndian = flags & 2 == 0
      isSigned = isFloat || flags & 4 != 0
      // Other unsigned numbers, and those that take more room than they need, have no name elsewhere.
      let isPlain = flags & 8 != 0 && (isSigned || bits == 8)
      let size = Int(version2.constBytesPerAudioPacket)
      guard isPlain, version2.constLPCMFramesPerAudioPacket == 1, size == channels * bits / 8 else {
        return nil
      }
    } else if let box = node.children.lazy.compactMap({ $0.box as? PCMConfiguration }).first {
      isFloat = node.type == "fpcm"
      bits = Int(box.sampleSize)
      isLittleEndian = box.formatFlags & 1 != 0
    } else {
      return nil
    }
  }

  package init?(_ track: CodedTrack) {
    guard track.kind == .audio else { return nil }
    if let entry = track.details.sampleEntries.first {
      self.init(entry.node)
    } else {
      self.init(codec: track.details.codec, track)
    }
  }

  /// Creates the form of 16 bits.
  init(isLittleEndian: Bool, _ track: CodedTrack) {
    (bits, channels, sampleRate) = (16, max(1, track.channels), track.sampleRate)
    self.isLittleEndian = isLittleEndian
  }

  /// Reads FFmpeg's name of the codec, `pcm_s24le`; `nil` for one that movies cannot name.
  private init?(codec: String, _ track: CodedTrack) {
    self.init(isLittleEndian: codec.hasSuffix("le"), track)
    guard codec.hasPrefix("pcm_"), let kind = codec.dropFirst(4).first else { return nil }
    bits = Int(codec.dropFirst(5).prefix { $0.isNumber }) ?? 0
    (isFloat, isSigned) = (kind == "f", kind != "u")
    let isKnown = isFloat ? [32, 64].contains(bits) : [8, 16, 24, 32].contains(bits)
    guard isKnown, isSigned || bits == 8, self.codec == codec else { return nil }
  }

  private static func whole(_ rate: Double) -> UInt64 { rate > 0 && rate < 1e9 ? UInt64(rate) : 0 }

  /// FFmpeg's name of the codec.
  package var codec: String {
    "pcm_\(isFloat ? "f" : isSigned ? "s" : "u")\(bits)"
      + (bits == 8 ? "" : isLittleEndian ? "le" : "be")
  }

  /// The reason why ISO files cannot describe it; `nil` where they can.
  var refusal: String? {
    let allowed = isFloat ? [32, 64] : [16, 24, 32]
    guard allowed.contains(bits) else {
      return "has samples of \(bits) bits, which only QuickTime files (mov) support"
    }
    guard 1...0xffff ~= sampleRate else {
      return "has \(sampleRate) samples per second, but an mp4 file allows at most 65535"
    }
    return nil
  }

  /// The sample entry for ISO files.
  var entry: Node {
    var configuration = PCMConfiguration()
    configuration.formatFlags = isLittleEndian ? 1 : 0
    configuration.sampleSize = UInt8(clamping: bits)
    var audio = AudioSampleEntry()
    audio.sound.channelCount = UInt16(clamping: channels)
    audio.sound.sampleSize = UInt16(clamping: bits)
    audio.sound.sampleRate = UInt32(clamping: sampleRate) << 16
    audio.boxes = [Node("pcmC", configuration)]
    return Node(isFloat ? "fpcm" : "ipcm", audio)
  }

  /// The sample entry for QuickTime files, which has room for every rate.
  var quickTimeEntry: Node {
    var fields = QuickTimeSound.Version2()
    fields.audioSampleRate = Double(sampleRate).bitPattern
    fields.numAudioChannels = UInt32(clamping: channels)
    fields.constBitsPerChannel = UInt32(clamping: bits)
    let kind: UInt32 = isFloat ? 1 : isSigned ? 4 : 0
    fields.formatSpecificFlags = kind | (isLittleEndian ? 0 : 2) | 8
    fields.constBytesPerAudioPacket = UInt32(clamping: channels * bits / 8)
    fields.constLPCMFramesPerAudioPacket = 1
    var audio = AudioSampleEntry()
    audio.quickTime = .version2(fields)
    // The numbers that this version has in these fields.
    (audio.sound.entryVersion, audio.sound.channelCount, audio.sound.sampleSize) = (2, 3, 16)
    (audio.sound.preDefined, audio.sound.sampleRate) = (-2, 0x10000)
    return Node("lpcm", audio)
  }
}
