// SPDX-License-Identifier: MIT

public import ApusBytes

/// Audio sample entry in ISO or QuickTime form (`mp4a`, `ac-3`, `Opus`, `fLaC`, `lpcm`, `enca` …):
/// ISO/IEC 14496-12, 12.2.3; QuickTime File Format, Sound Sample Descriptions.
public struct AudioSampleEntry: SampleEntry {
  public static let types: [FourCC] = [
    "mp4a", "enca", "ac-3", "ec-3", "ac-4", "mlpa", "Opus", "fLaC", "alac", "samr", "sawb", "sawp",
    "sqcp", "sevc", "ssmv", "dtsc", "dtsh", "dtsl", "dtse", "dtsx", "dtsy", "mha1", "mha2", "mhm1",
    "mhm2", "iamf", "ipcm", "fpcm", "apac",
    "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "NONE", "ulaw", "alaw", "ima4",
    "MAC3", "MAC6", "QDMC", "QDM2", "Qclp", "agsm", ".mp3", ".mp1", ".mp2",
    "ms\u{0}\u{2}", "ms\u{0}\u{11}", "ms\u{0}U", "spex", "drms",
  ]
  public var start = SampleEntryStart()
  public var sound = SoundFields()
  public var quickTime = QuickTimeSound.none
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try sound.syntax(&v)
    if v.isReading {
      quickTime = QuickTimeSound(
        version: sound.entryVersion, left: v.remaining, next: try v.peek(8))
    }
    try quickTime.syntax(&v)
    try v.framed(&boxes, count: nil)
  }
}

/// Audio sample entry in a version 1 `stsd`, where entry version 1 has no QuickTime fields: ISO/IEC
/// 14496-12, 12.2.3.
public struct AudioSampleEntryV1: SampleEntry {
  public static var types: [FourCC] { AudioSampleEntry.types }
  public var start = SampleEntryStart()
  public var sound = SoundFields()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try sound.syntax(&v)
    try v.framed(&boxes, count: nil)
  }
}

/// The fields that all audio sample entries have: ISO/IEC 14496-12, 12.2.3.2.
public struct SoundFields: SyntaxStructure {
  /// The version in QuickTime, which states whether more fields follow.
  public var entryVersion: UInt16 = 0
  /// The revision level and vendor in QuickTime.
  public var reserved1: UInt64 = 0
  public var channelCount: UInt16 = 2
  public var sampleSize: UInt16 = 16
  /// The compression ID in QuickTime.
  public var preDefined: Int16 = 0
  /// The packet size in QuickTime.
  public var reserved2: UInt16 = 0
  /// The samples per second, in 16.16 fixed point; a `srat` box or the codec's configuration may override it.
  public var sampleRate: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "entry_version", &entryVersion)
    try v.u(48, "reserved", &reserved1)
    try v.u(16, "channelcount", &channelCount)
    try v.u(16, "samplesize", &sampleSize)
    try v.i(16, "pre_defined", &preDefined)
    try v.u(16, "reserved", &reserved2)
    try v.u(32, "samplerate", &sampleRate, as: .fixed(16))
  }
}
