// SPDX-License-Identifier: MIT

public import ApusBytes

/// AV1 decoder configuration (`av1C`): AV1 Codec ISO Media File Format Binding 1.2, 2.3.
public struct AV1Configuration: Box {
  public static let types: [FourCC] = ["av1C"]
  public var marker = true
  public var version: UInt8 = 1
  public var seqProfile: UInt8 = 0
  public var seqLevelIndex0: UInt8 = 0
  public var seqTier0 = false
  public var highBitdepth = false
  public var twelveBit = false
  public var monochrome = false
  public var chromaSubsamplingX = true
  public var chromaSubsamplingY = true
  public var chromaSamplePosition: UInt8 = 0
  public var reserved: UInt8 = 0
  public var initialPresentationDelayPresent = false
  /// The initial presentation delay; reserved if none is present.
  public var initialPresentationDelayMinusOne: UInt8 = 0
  private var units = ConfigurationUnits<AV1Unit>()
  public var configOBUs: Extent {
    get { units.bytes }
    set { units = ConfigurationUnits(newValue) }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("marker", &marker)
    try v.u(7, "version", &version)
    try v.u(3, "seq_profile", &seqProfile)
    try v.u(5, "seq_level_idx_0", &seqLevelIndex0)
    try v.flag("seq_tier_0", &seqTier0)
    try v.flag("high_bitdepth", &highBitdepth)
    try v.flag("twelve_bit", &twelveBit)
    try v.flag("monochrome", &monochrome)
    try v.flag("chroma_subsampling_x", &chromaSubsamplingX)
    try v.flag("chroma_subsampling_y", &chromaSubsamplingY)
    try v.u(2, "chroma_sample_position", &chromaSamplePosition)
    try v.u(3, "reserved", &reserved)
    try v.flag("initial_presentation_delay_present", &initialPresentationDelayPresent)
    try v.u(
      4, initialPresentationDelayPresent ? "initial_presentation_delay_minus_one" : "reserved",
      &initialPresentationDelayMinusOne)
    try units.syntax(&v, "configOBUs")
  }
}

/// VP8 and VP9 decoder configuration (`vpcC`): VP Codec ISO Media File Format Binding 1.0. Version 0
/// was an earlier draft.
public struct VPConfiguration: FullBox {
  public static let types: [FourCC] = ["vpcC"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var profile: UInt8 = 0
  public var level: UInt8 = 0
  public var bitDepth: UInt8 = 8
  /// The colour space, in version 0 only.
  public var colorSpace: UInt8 = 0
  public var transferFunction: UInt8 = 0
  public var chromaSubsampling: UInt8 = 1
  public var videoFullRangeFlag = false
  public var colourPrimaries: UInt8 = 2
  public var transferCharacteristics: UInt8 = 2
  public var matrixCoefficients: UInt8 = 2
  public var codecInitializationData: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "profile", &profile)
    try v.u(8, "level", &level)
    try v.u(4, "bitDepth", &bitDepth)
    if version == 0 {
      try v.u(4, "colorSpace", &colorSpace)
      try v.u(4, "chromaSubsampling", &chromaSubsampling)
      try v.u(3, "transferFunction", &transferFunction)
      try v.flag("videoFullRangeFlag", &videoFullRangeFlag)
    } else {
      try v.u(3, "chromaSubsampling", &chromaSubsampling)
      try v.flag("videoFullRangeFlag", &videoFullRangeFlag)
      try v.u(8, "colourPrimaries", &colourPrimaries)
      try v.u(8, "transferCharacteristics", &transferCharacteristics)
      try v.u(8, "matrixCoefficients", &matrixCoefficients)
    }
    let size = try v.count(16, "codecInitializationDataSize", codecInitializationData.count)
    try v.bytes("codecInitializationData", &codecInitializationData, count: size)
  }
}

/// Dolby Vision configuration (`dvcC` up to profile 7, `dvvC` from 8 to 10, `dvwC` beyond): Dolby Vision
/// Streams Within the ISO Base Media File Format 2.4, 3.2.
public struct DolbyVisionConfiguration: Box {
  public static let types: [FourCC] = ["dvcC", "dvvC", "dvwC"]
  public var versionMajor: UInt8 = 1
  public var versionMinor: UInt8 = 0
  public var profile: UInt8 = 0
  public var level: UInt8 = 0
  public var isRPUPresent = true
  public var isELPresent = false
  public var isBLPresent = true
  public var compatibilityID: UInt8 = 0
  /// The compression of metadata: 0 none, 1 limited, 3 extended; reserved before version 2.2 of the specification.
  public var metadataCompression: UInt8 = 0
  public var reserved1: UInt32 = 0
  public var reserved2: [UInt32] = [0, 0, 0, 0]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "dv_version_major", &versionMajor)
    try v.u(8, "dv_version_minor", &versionMinor)
    try v.u(7, "dv_profile", &profile)
    try v.u(6, "dv_level", &level)
    try v.flag("rpu_present_flag", &isRPUPresent)
    try v.flag("el_present_flag", &isELPresent)
    try v.flag("bl_present_flag", &isBLPresent)
    try v.u(4, "dv_bl_signal_compatibility_id", &compatibilityID)
    try v.u(2, "dv_md_compression", &metadataCompression)
    try v.u(26, "reserved", &reserved1)
    try v.values(32, "reserved", &reserved2, count: 4)
  }
}

/// H.263 (`d263`): 3GPP TS 26.244, 6.8.
public struct H263Specific: ParentBox {
  public static let types: [FourCC] = ["d263"]
  public var vendor: FourCC = "    "
  public var decoderVersion: UInt8 = 0
  public var level: UInt8 = 0
  public var profile: UInt8 = 0
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "vendor", &vendor)
    try v.u(8, "decoder_version", &decoderVersion)
    try v.u(8, "H263_Level", &level)
    try v.u(8, "H263_Profile", &profile)
    try v.framed(&boxes, count: nil)
  }
}
