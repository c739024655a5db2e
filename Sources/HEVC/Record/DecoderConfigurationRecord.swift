// SPDX-License-Identifier: MIT

public import ApusBytes

/// HEVC decoder configuration record: ISO/IEC 14496-15, 8.3.2.1.
public struct DecoderConfigurationRecord: SyntaxStructure, Equatable {
  public var configurationVersion: UInt8 = 1
  public var generalProfileSpace: UInt8 = 0
  public var generalTierFlag = false
  public var generalProfileIDC: UInt8 = 0
  public var generalProfileCompatibilityFlags: UInt32 = 0
  public var generalConstraintIndicatorFlags: UInt64 = 0
  public var generalLevelIDC: UInt8 = 0
  public var reserved1: UInt8 = 0b1111
  public var minSpatialSegmentationIDC: UInt16 = 0
  public var reserved2: UInt8 = 0b11_1111
  public var parallelismType: UInt8 = 0
  public var reserved3: UInt8 = 0b11_1111
  public var chromaFormatIDC: UInt8 = 1
  public var reserved4: UInt8 = 0b1_1111
  public var bitDepthLumaMinus8: UInt8 = 0
  public var reserved5: UInt8 = 0b1_1111
  public var bitDepthChromaMinus8: UInt8 = 0
  public var avgFrameRate: UInt16 = 0
  public var constantFrameRate: UInt8 = 0
  public var numTemporalLayers: UInt8 = 1
  public var temporalIDNested = false
  public var lengthSizeMinusOne: UInt8 = 3
  public var arrays: [NALUnitArray] = []

  public init() {}

  @inlinable
  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    try v.u(2, "general_profile_space", &generalProfileSpace)
    try v.u(1, "general_tier_flag", &generalTierFlag)
    try v.u(5, "general_profile_idc", &generalProfileIDC)
    try v.u(32, "general_profile_compatibility_flags", &generalProfileCompatibilityFlags, as: .hex)
    try v.u(48, "general_constraint_indicator_flags", &generalConstraintIndicatorFlags, as: .hex)
    try v.u(8, "general_level_idc", &generalLevelIDC)
    try v.u(4, "reserved", &reserved1)
    try v.u(12, "min_spatial_segmentation_idc", &minSpatialSegmentationIDC)
    try v.u(6, "reserved", &reserved2)
    try v.u(2, "parallelismType", &parallelismType)
    try v.u(6, "reserved", &reserved3)
    try v.u(2, "chroma_format_idc", &chromaFormatIDC)
    try v.u(5, "reserved", &reserved4)
    try v.u(3, "bit_depth_luma_minus8", &bitDepthLumaMinus8)
    try v.u(5, "reserved", &reserved5)
    try v.u(3, "bit_depth_chroma_minus8", &bitDepthChromaMinus8)
    try v.u(16, "avgFrameRate", &avgFrameRate)
    try v.u(2, "constantFrameRate", &constantFrameRate)
    try v.u(3, "numTemporalLayers", &numTemporalLayers)
    try v.u(1, "temporalIdNested", &temporalIDNested)
    try v.u(2, "lengthSizeMinusOne", &lengthSizeMinusOne)
    let count = try v.count(8, "numOfArrays", arrays.count)
    try v.list("arrays", &arrays, count: count)
  }
}
