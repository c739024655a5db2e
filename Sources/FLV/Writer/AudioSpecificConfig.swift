// SPDX-License-Identifier: MIT

public import Bytes

/// What an AAC decoder needs to begin (`AudioSpecificConfig()`): ISO/IEC 14496-3, 1.6.2.1; the fields that all
/// object types share, and the rest as it is.
public struct AudioSpecificConfig: SyntaxStructure, Hashable {
  public var objectType: UInt8 = 2
  /// What the object type exceeds 32 by, after the escape 31.
  public var extendedObjectType: UInt8 = 0
  public var frequencyIndex: UInt8 = 4
  /// The sampling frequency where the index is 15.
  public var frequency: UInt32 = 0
  public var channelConfiguration: UInt8 = 2
  /// What is left of the last byte above, and what follows.
  public var bits: UInt8 = 0
  public var rest: [UInt8] = []

  public init() {}

  /// Reads a bare configuration.
  public init(_ bytes: [UInt8]) throws(SyntaxError) {
    var reader = SyntaxReader(MemorySource(bytes))
    try syntax(&reader)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "audioObjectType", &objectType)
    if objectType == 31 { try v.u(6, "audioObjectTypeExt", &extendedObjectType) }
    try v.u(4, "samplingFrequencyIndex", &frequencyIndex)
    if frequencyIndex == 15 { try v.u(24, "samplingFrequency", &frequency) }
    try v.u(4, "channelConfiguration", &channelConfiguration)
    if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "specificConfig", &bits, as: .hex) }
    try v.bytes("specificConfig", &rest, count: nil)
  }

  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    return writer.sink.bytes
  }

  /// Samples in a second; `nil` for an index without a meaning.
  public var sampleRate: Int? {
    if frequencyIndex == 15 { return Int(frequency) }
    return frequencyIndex < Self.rates.count ? Self.rates[Int(frequencyIndex)] : nil
  }

  /// Whether a field has a value that means nothing: 1.6.2.1 and ISO/IEC 23091-3, table 5.
  public var isReserved: Bool {
    objectType == 0 || (sampleRate ?? 0) == 0 || (8...10).contains(channelConfiguration)
      || channelConfiguration == 15
  }

  private static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]
}
