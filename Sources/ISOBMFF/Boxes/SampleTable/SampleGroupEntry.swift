// SPDX-License-Identifier: MIT

public import ApusBytes

/// A description of a sample group, whose form depends on the grouping type.
public struct SampleGroupEntry: Blank, Sendable {
  public var length: UInt32 = 0
  public var content: any SyntaxStructure = OpaqueGroupEntry()

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, as type: FourCC) throws(SyntaxError) {
    if v.isReading { content = Self.content(of: type, length: Int(length)) }
    try v.sized("description", Int(length)) { v throws(SyntaxError) in try content.syntax(&v) }
  }

  /// Returns an empty entry of the known form, if that has the stated length.
  private static func content(of type: FourCC, length: Int) -> any SyntaxStructure {
    switch (type, length) {
    case ("roll", 2), ("prol", 2): RollRecoveryEntry()
    case ("rap ", 1): VisualRandomAccessEntry()
    case ("tele", 1): TemporalLevelEntry()
    case ("sync", 1): SyncSampleEntry()
    case ("seig", 20): EncryptionInformationEntry()
    case ("seig", 21...): EncryptionInformationEntry(constantIV: [])
    case ("alst", 4...): AlternativeStartupEntry()
    default: OpaqueGroupEntry()
    }
  }
}

/// Roll recovery (`roll`) and audio pre-roll (`prol`): ISO/IEC 14496-12, 10.1.
public struct RollRecoveryEntry: SyntaxStructure, Hashable {
  public var rollDistance: Int16 = 0
  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(16, "roll_distance", &rollDistance)
  }
}

/// Visual random access (`rap `): ISO/IEC 14496-12, 10.4.
public struct VisualRandomAccessEntry: SyntaxStructure, Hashable {
  public var numLeadingSamplesKnown = false
  public var numLeadingSamples: UInt8 = 0
  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("num_leading_samples_known", &numLeadingSamplesKnown)
    try v.u(7, "num_leading_samples", &numLeadingSamples)
  }
}

/// Temporal level (`tele`): ISO/IEC 14496-12, 10.5.
public struct TemporalLevelEntry: SyntaxStructure, Hashable {
  public var levelIndependentlyDecodable = false
  public var reserved: UInt8 = 0
  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("level_independently_decodable", &levelIndependentlyDecodable)
    try v.u(7, "reserved", &reserved)
  }
}

/// Sync samples of one NAL unit type (`sync`): ISO/IEC 14496-15, 8.4.4.
public struct SyncSampleEntry: SyntaxStructure, Hashable {
  public var reserved: UInt8 = 0
  public var nalUnitType: UInt8 = 0
  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "reserved", &reserved)
    try v.u(6, "NAL_unit_type", &nalUnitType)
  }
}

/// Encryption information of samples (`seig`): ISO/IEC 23001-7, 6.
public struct EncryptionInformationEntry: SyntaxStructure, Hashable {
  public var reserved: UInt8 = 0
  public var cryptByteBlock: UInt8 = 0
  public var skipByteBlock: UInt8 = 0
  public var isProtected: UInt8 = 0
  public var perSampleIVSize: UInt8 = 0
  public var kid = [UInt8](repeating: 0, count: 16)
  /// The IV, present if samples have no individual ones.
  public var constantIV: [UInt8]?

  public init() {}

  init(constantIV: [UInt8]) { self.constantIV = constantIV }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "reserved", &reserved)
    try v.u(4, "crypt_byte_block", &cryptByteBlock)
    try v.u(4, "skip_byte_block", &skipByteBlock)
    try v.u(8, "isProtected", &isProtected)
    try v.u(8, "Per_Sample_IV_Size", &perSampleIVSize)
    try v.bytes("KID", &kid, count: 16, .uuid)
    if var constantIV {
      let size = try v.count(8, "constant_IV_size", constantIV.count)
      try v.bytes("constant_IV", &constantIV, count: size)
      self.constantIV = constantIV
    }
  }
}

/// Alternative startup sequence (`alst`): ISO/IEC 14496-12, 10.3.
public struct AlternativeStartupEntry: SyntaxStructure {
  public var firstOutputSample: UInt16 = 0
  public var sampleOffsets: [UInt32] = []
  /// The rows of `num_output_samples` and `num_total_samples`, and any further bytes.
  public var rest = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(16, "roll_count", sampleOffsets.count)
    try v.u(16, "first_output_sample", &firstOutputSample)
    try v.values(32, "sample_offset", &sampleOffsets, count: count)
    if v.isReading ? v.remaining > 0 : !rest.isEmpty { try v.extent("rest", &rest, count: nil) }
  }
}

/// A description of an unknown form.
public struct OpaqueGroupEntry: SyntaxStructure {
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
