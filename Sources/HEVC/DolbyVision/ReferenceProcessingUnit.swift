// SPDX-License-Identifier: MIT

public import ApusBytes

/// The Dolby Vision mapping of one picture (`rpu_data()`), in a NAL unit of type 62 after its slices: ETSI GS CCM 001.
///
/// Only the header is parsed, which determines the profile; the mapping is kept as bytes, of which the last four are a
/// checksum.
public struct ReferenceProcessingUnit: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.unspec62]
  static let prefix: UInt8 = 25
  static let knownType: UInt8 = 2

  public var rpuNALPrefix = Self.prefix
  /// The type: 2 for this syntax; the rest of any other type is kept as bytes.
  public var rpuType = Self.knownType
  public var rpuFormat: UInt16 = 18
  public var vdrRPUProfile: UInt8 = 1
  public var vdrRPULevel: UInt8 = 0
  public var vdrSeqInfoPresentFlag = true
  public var chromaResamplingExplicitFilterFlag = false
  /// The type of coefficients: 0 for fixed point, 1 for floating point.
  public var coefficientDataType: UInt8 = 0
  public var coefficientLog2Denom: UInt32 = 23
  public var vdrRPUNormalizedIDC: UInt8 = 1
  public var blVideoFullRangeFlag = false
  public var blBitDepthMinus8: UInt32 = 2
  /// The bit depth of the enhancement layer in the lower eight bits; those above describe an extension of the mapping.
  public var elBitDepthMinus8: UInt32 = 2
  public var vdrBitDepthMinus8: UInt32 = 4
  public var spatialResamplingFilterFlag = false
  public var reservedZero3Bits: UInt8 = 0
  public var elSpatialResamplingFilterFlag = false
  public var disableResidualFlag = true
  /// The bits up to the first whole byte of `data`.
  public var leadingBits: UInt8 = 0
  public var data: [UInt8] = []

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "rpu_nal_prefix", &rpuNALPrefix)
    guard rpuNALPrefix == Self.prefix else {
      throw v.failure(.invalid, "rpu_nal_prefix", "is \(rpuNALPrefix), not \(Self.prefix)")
    }
    try v.u(6, "rpu_type", &rpuType)
    try v.u(11, "rpu_format", &rpuFormat)
    if rpuType == Self.knownType {
      try v.u(4, "vdr_rpu_profile", &vdrRPUProfile)
      try v.u(4, "vdr_rpu_level", &vdrRPULevel)
      try v.flag("vdr_seq_info_present_flag", &vdrSeqInfoPresentFlag)
      if vdrSeqInfoPresentFlag { try sequenceInformation(&v) }
    }
    if v.bitsUntilAligned > 0 {
      try v.u(v.bitsUntilAligned, "vdr_rpu_data_bits", &leadingBits, as: .hex)
    }
    guard v.isReading else { return try v.bytes("vdr_rpu_data_byte", &data, count: data.count) }
    data = []
    while v.moreData(false) {
      var byte: UInt8 = 0
      try v.u(8, "vdr_rpu_data_byte", &byte, as: .hex)
      data.append(byte)
    }
    guard rpuType != Self.knownType || isIntact else {
      throw v.failure(.invalid, "rpu_data_crc32", "is not the checksum of what precedes it")
    }
  }

  private mutating func sequenceInformation<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("chroma_resampling_explicit_filter_flag", &chromaResamplingExplicitFilterFlag)
    try v.u(2, "coefficient_data_type", &coefficientDataType)
    if coefficientDataType == 0 { try v.ue("coefficient_log2_denom", &coefficientLog2Denom) }
    try v.u(2, "vdr_rpu_normalized_idc", &vdrRPUNormalizedIDC)
    try v.flag("bl_video_full_range_flag", &blVideoFullRangeFlag)
    guard hasLayerInformation else { return }
    try v.ue("bl_bit_depth_minus8", &blBitDepthMinus8)
    try v.ue("el_bit_depth_minus8", &elBitDepthMinus8)
    try v.ue("vdr_bit_depth_minus8", &vdrBitDepthMinus8)
    try v.flag("spatial_resampling_filter_flag", &spatialResamplingFilterFlag)
    try v.u(3, "reserved_zero_3bits", &reservedZero3Bits)
    try v.flag("el_spatial_resampling_filter_flag", &elSpatialResamplingFilterFlag)
    try v.flag("disable_residual_flag", &disableResidualFlag)
  }

  /// Whether the unit describes the layers.
  var hasLayerInformation: Bool { vdrSeqInfoPresentFlag && rpuFormat & 0x700 == 0 }

  /// Whether the last four bytes are the checksum of the bytes before them (CRC-32 of ISO/IEC 13818-1, Annex A).
  private var isIntact: Bool {
    guard data.count >= 4 else { return false }
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    do {
      try copy.syntax(&writer)
    } catch {
      return false
    }
    return CyclicChecksum.of(writer.sink.bytes.dropFirst()) == 0
  }
}
