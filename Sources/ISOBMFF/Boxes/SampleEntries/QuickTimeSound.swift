// SPDX-License-Identifier: MIT

public import ApusBytes

/// The QuickTime fields between the sound fields and the boxes of an audio sample entry: QuickTime File Format, Sound
/// Sample Descriptions, versions 1 and 2.
public enum QuickTimeSound: Sendable {
  /// No fields: ISO form, or QuickTime version 0.
  case none
  case version1(Version1)
  case version2(Version2)

  /// Determines the form from the bytes, because ISO writers also set the version to 1, followed directly by boxes.
  init(version: UInt16, left: Int, next: [UInt8]) {
    switch version {
    case 1 where left >= 16 && !BoxHeader.stands(in: next, left: left): self = .version1(Version1())
    case 2 where left >= 36 && !BoxHeader.stands(in: next, left: left): self = .version2(Version2())
    default: self = .none
    }
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    switch self {
    case .none: break
    case .version1(var fields):
      try fields.syntax(&v)
      self = .version1(fields)
    case .version2(var fields):
      try fields.syntax(&v)
      self = .version2(fields)
    }
  }

  /// The sizes of packets and frames of compressed sound.
  public struct Version1: SyntaxStructure {
    public var samplesPerPacket: UInt32 = 0
    public var bytesPerPacket: UInt32 = 0
    public var bytesPerFrame: UInt32 = 0
    public var bytesPerSample: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "samplesPerPacket", &samplesPerPacket)
      try v.u(32, "bytesPerPacket", &bytesPerPacket)
      try v.u(32, "bytesPerFrame", &bytesPerFrame)
      try v.u(32, "bytesPerSample", &bytesPerSample)
    }
  }

  /// The fields of version 2, with a sample rate and channels beyond 16 bits.
  public struct Version2: SyntaxStructure {
    /// The offset of the boxes, relative to the start of the entry.
    public var sizeOfStructOnly: UInt32 = 72
    /// The number of samples per second, as the bits of an IEEE 754 number.
    public var audioSampleRate: UInt64 = 0
    public var numAudioChannels: UInt32 = 0
    public var always7F000000: UInt32 = 0x7f00_0000
    public var constBitsPerChannel: UInt32 = 0
    public var formatSpecificFlags: UInt32 = 0
    public var constBytesPerAudioPacket: UInt32 = 0
    public var constLPCMFramesPerAudioPacket: UInt32 = 0
    /// The bytes that `sizeOfStructOnly` covers beyond the known fields.
    public var rest: [UInt8] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "sizeOfStructOnly", &sizeOfStructOnly)
      try v.u(64, "audioSampleRate", &audioSampleRate, as: .float(64))
      try v.u(32, "numAudioChannels", &numAudioChannels)
      try v.u(32, "always7F000000", &always7F000000, as: .hex)
      try v.u(32, "constBitsPerChannel", &constBitsPerChannel)
      try v.u(32, "formatSpecificFlags", &formatSpecificFlags, as: .hex)
      try v.u(32, "constBytesPerAudioPacket", &constBytesPerAudioPacket)
      try v.u(32, "constLPCMFramesPerAudioPacket", &constLPCMFramesPerAudioPacket)
      if sizeOfStructOnly > 72 {
        try v.bytes("rest", &rest, count: Int(sizeOfStructOnly) - 72)
      }
    }
  }
}
