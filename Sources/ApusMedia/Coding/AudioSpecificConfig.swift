// SPDX-License-Identifier: MIT

public import ApusBytes

/// The configuration of a decoder of MPEG-4 audio (`AudioSpecificConfig()`): ISO/IEC 14496-3, 1.6.2.1.
public struct AudioSpecificConfig: SyntaxStructure, Hashable {
  /// The object type (`audioObjectType`), 2 for AAC-LC; 31 if `extendedObjectType` follows.
  public var objectType: UInt8 = 2
  /// The object type minus 32, after the escape 31.
  public var extendedObjectType: UInt8 = 0
  /// The index in the table of sampling frequencies, 4 for 44,100 Hz; 15 if `frequency` follows.
  public var frequencyIndex: UInt8 = 4
  /// The sampling frequency if the index is 15.
  public var frequency: UInt32 = 0
  /// The channel configuration of ISO/IEC 23091-3, table 5; 0 if the channels are described elsewhere.
  public var channelConfiguration: UInt8 = 2
  /// The fields of object types 5 (SBR) and 29 (SBR and parametric stereo), which extend another one.
  public var replication = SpectralBandReplication()
  /// The object type that is extended; reads like `objectType`.
  public var coreObjectType: UInt8 = 0
  /// The object type that is extended minus 32, after the escape 31.
  public var coreExtendedObjectType: UInt8 = 0
  /// The channel configuration for object type 22 (ER BSAC), if that is extended or is the extension.
  public var extensionChannelConfiguration: UInt8 = 0
  /// Whether the following fields are declared; `false` if the bytes end too early for them.
  public var hasDetails = true
  /// The configuration of AAC and its relatives; unused for other object types.
  public var general = GeneralAudioConfig()
  /// The configuration of object type 36 (ALS); unused for others.
  public var lossless = LosslessAudioConfig()
  /// The configuration of object type 42 (xHE-AAC); unused for others.
  public var unified = UnifiedAudioConfig()
  /// An extension that older decoders ignore: 11 bits, 0x2b7 for an extension. `nil` if no bits are left for it.
  public var syncExtension: UInt16?
  /// The object type of the extension after `syncExtension`; 31 if `extensionExtendedObjectType` follows.
  public var extensionObjectType: UInt8 = 0
  /// The object type of that extension minus 32, after the escape 31.
  public var extensionExtendedObjectType: UInt8 = 0
  /// The remaining bits of the last byte above, followed by further bytes.
  public var bits: UInt8 = 0
  /// The bytes after the declared fields, kept unchanged.
  public var rest: [UInt8] = []

  public init() {}

  /// Reads a bare configuration.
  public init(_ bytes: [UInt8]) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes))
    do throws(SyntaxError) {
      try syntax(&reader)
    } catch {
      self = AudioSpecificConfig()
      hasDetails = false
      reader = SyntaxReader(MemorySource(bytes))
      try syntax(&reader)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try head(&v)
    if hasDetails { try backwardCompatibleExtension(&v) }
    if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "specificConfig", &bits, as: .hex) }
    try v.bytes("specificConfig", &rest, count: nil)
  }

  /// Visits the fields whose length they determine themselves, which are all that LATM has.
  public mutating func head<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "audioObjectType", &objectType)
    if objectType == 31 { try v.u(6, "audioObjectTypeExt", &extendedObjectType) }
    try v.u(4, "samplingFrequencyIndex", &frequencyIndex)
    if frequencyIndex == 15 { try v.u(24, "samplingFrequency", &frequency) }
    try v.u(4, "channelConfiguration", &channelConfiguration)
    guard hasDetails else { return }
    if isExtended {
      try replication.frequency(&v)
      try v.u(5, "audioObjectType", &coreObjectType)
      if coreObjectType == 31 { try v.u(6, "audioObjectTypeExt", &coreExtendedObjectType) }
      if core == 22 {
        try v.u(4, "extensionChannelConfiguration", &extensionChannelConfiguration)
      }
    }
    switch core {
    case 1...4, 6, 7, 17, 19...23:
      try general.syntax(&v, core, hasLayout: channelConfiguration == 0)
    case 36: try lossless.syntax(&v)
    case 42: try unified.syntax(&v)
    default: break
    }
  }

  private mutating func backwardCompatibleExtension<V: SyntaxVisitor>(_ v: inout V)
    throws(SyntaxError)
  {
    // The others have undeclared fields before it.
    let isGeneral = [1, 2, 3, 4, 6, 7].contains(core)
    if v.isReading {
      syncExtension = isGeneral && !isExtended && bitsLeft(v) >= 16 ? 0 : nil
    }
    guard var sync = syncExtension else { return }
    try v.u(11, "syncExtensionType", &sync, as: .hex)
    if v.isAssigning { syncExtension = sync }
    guard sync == Self.extensionMark else { return }
    try v.u(5, "extensionAudioObjectType", &extensionObjectType)
    if extensionObjectType == 31 {
      try v.u(6, "audioObjectTypeExt", &extensionExtendedObjectType)
    }
    guard extensionObjectType == 5 || extensionObjectType == 22 else { return }
    try v.flag("sbrPresentFlag", &replication.isPresent)
    if replication.isPresent { try replication.frequency(&v) }
    if extensionObjectType == 22 {
      return try v.u(4, "extensionChannelConfiguration", &extensionChannelConfiguration)
    }
    guard replication.isPresent else { return }
    if v.isReading { replication.syncExtension = bitsLeft(v) >= 12 ? 0 : nil }
    try replication.parametricStereo(&v)
  }

  private static let extensionMark: UInt16 = 0x2b7

  private func bitsLeft<V: SyntaxVisitor>(_ v: V) -> Int { v.remaining * 8 + v.bitsUntilAligned }

  /// Returns the configuration as bytes; throws if a value does not fit its field.
  public func bytes() throws(SyntaxError) -> [UInt8] { try encoded() }
}

// MARK: - Meaning

extension AudioSpecificConfig {
  /// Whether the object type extends another one.
  private var isExtended: Bool { objectType == 5 || objectType == 29 }

  /// The object type of the coded samples, without extensions: 2 is AAC-LC.
  public var core: Int {
    isExtended && hasDetails
      ? Self.number(coreObjectType, coreExtendedObjectType)
      : Self.number(objectType, extendedObjectType)
  }

  /// The object type of codec strings (RFC 6381): 5 with SBR, 29 with parametric stereo.
  public var playedObjectType: Int {
    hasParametricStereo ? 29 : hasReplication ? 5 : Self.number(objectType, extendedObjectType)
  }

  private static func number(_ short: UInt8, _ more: UInt8) -> Int {
    short == 31 ? 32 + Int(more) : Int(short)
  }

  /// Whether the configuration signals spectral band replication (HE-AAC). A stream may use it without signalling.
  public var hasReplication: Bool {
    isExtended || (extensionObjectType == 5 && replication.isPresent)
  }

  /// Whether the configuration signals parametric stereo (HE-AAC version 2).
  public var hasParametricStereo: Bool {
    objectType == 29 || (hasReplication && replication.hasParametricStereo)
  }

  /// The coded samples per second; `nil` for an invalid index.
  public var sampleRate: Int? { Self.rate(frequencyIndex, frequency) }

  /// The decoded samples per second, which spectral band replication may double.
  public var playedSampleRate: Int? {
    if core == 36, hasDetails, lossless.isKnown { return Int(lossless.samplingFrequency) }
    guard hasReplication, hasDetails else { return sampleRate }
    return Self.rate(replication.frequencyIndex, replication.frequency) ?? sampleRate
  }

  /// The number of decoded channels; `nil` if the configuration does not state it.
  public var channels: Int? {
    if core == 36, hasDetails, lossless.isKnown { return Int(lossless.channelsMinus1) + 1 }
    if hasParametricStereo { return 2 }
    if channelConfiguration == 0, hasDetails, core == 42 { return unified.channels }
    if channelConfiguration == 0, hasDetails { return general.layout?.channels }
    return Self.channels(ofConfiguration: channelConfiguration)
  }

  /// Returns the number of channels of a configuration (ISO/IEC 23091-3, table 5); `nil` for 0 and for those that are
  /// reserved.
  static func channels(ofConfiguration number: UInt8) -> Int? {
    let counts = [nil, 1, 2, 3, 4, 5, 6, 8, nil, nil, nil, 7, 8, 24, 8]
    return counts.indices.contains(Int(number)) ? counts[Int(number)] : nil
  }

  /// Whether a field has a reserved value: 1.6.2.1 and ISO/IEC 23091-3, table 5.
  public var isReserved: Bool {
    objectType == 0 || (sampleRate ?? 0) == 0 || (8...10).contains(channelConfiguration)
      || channelConfiguration == 15
  }

  private static func rate(_ index: UInt8, _ explicit: UInt32) -> Int? {
    if index == 15 { return Int(explicit) }
    return rates.indices.contains(Int(index)) ? rates[Int(index)] : nil
  }

  private static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]
}
