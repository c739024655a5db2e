// SPDX-License-Identifier: MIT

public import ApusBytes

/// The data of an audio tag, in either form: Flash Video 10.1, E.4.2.1; Enhanced RTMP v2, "Enhanced Audio".
public struct AudioTag: SyntaxStructure {
  /// `SoundFormat`, or 9 (`ExHeader`) before a packet with a four-character code.
  public var soundFormat = SoundFormat.aac
  public var content = Content.legacy(LegacyAudio())

  /// The packet in the tag, in one of the two forms.
  public enum Content: Sendable {
    case legacy(LegacyAudio)
    case enhanced(EnhancedAudio)
  }

  public init() {}

  /// Creates a tag in the form of Enhanced RTMP.
  public init(_ packet: EnhancedAudio) {
    soundFormat = .exHeader
    content = .enhanced(packet)
  }

  /// Creates a tag in the form of Flash Video.
  public init(_ format: SoundFormat, _ packet: LegacyAudio) {
    soundFormat = format
    content = .legacy(packet)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "SoundFormat", &soundFormat)
    if v.isReading {
      content = soundFormat == .exHeader ? .enhanced(EnhancedAudio()) : .legacy(LegacyAudio())
    }
    switch content {
    case .legacy(var packet):
      try packet.syntax(&v, soundFormat)
      content = .legacy(packet)
    case .enhanced(var packet):
      try packet.syntax(&v)
      content = .enhanced(packet)
    }
  }

  /// The packet in the form of Flash Video; `nil` if the tag has the other form.
  public var legacy: LegacyAudio? {
    if case .legacy(let packet) = content { packet } else { nil }
  }

  /// The packet in the form of Enhanced RTMP; `nil` if the tag has the other form.
  public var enhanced: EnhancedAudio? {
    if case .enhanced(let packet) = content { packet } else { nil }
  }
}

/// The format of sound, in four bits: Flash Video 10.1, E.4.2.1.
public struct SoundFormat: RawRepresentable, Hashable, Sendable, FieldCoded {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Linear PCM in the byte order of the platform.
  public static let pcmPlatform = SoundFormat(rawValue: 0)
  /// ADPCM of Flash.
  public static let adpcm = SoundFormat(rawValue: 1)
  /// MP3, except at 8 kHz.
  public static let mp3 = SoundFormat(rawValue: 2)
  /// Linear PCM, little endian.
  public static let pcmLittleEndian = SoundFormat(rawValue: 3)
  /// G.711 A-law.
  public static let aLaw = SoundFormat(rawValue: 7)
  /// G.711 µ-law.
  public static let muLaw = SoundFormat(rawValue: 8)
  /// Marks a packet of Enhanced RTMP, which follows.
  public static let exHeader = SoundFormat(rawValue: 9)
  /// AAC.
  public static let aac = SoundFormat(rawValue: 10)
  /// Speex, always mono at 16 kHz.
  public static let speex = SoundFormat(rawValue: 11)

  public init() { self = .aac }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }
  public static var kind: FieldKind { .unsigned }
}

extension SoundFormat: CustomStringConvertible {
  public var description: String {
    let names = [
      "PCM", "ADPCM", "MP3", "PCM (little endian)", "Nellymoser 16 kHz", "Nellymoser 8 kHz",
      "Nellymoser", "A-law", "µ-law", "ExHeader", "AAC", "Speex", "sound format 12",
      "sound format 13", "MP3 8 kHz", "device specific",
    ]
    return names[Int(rawValue & 15)]
  }
}
