// SPDX-License-Identifier: MIT

public import ApusBytes

/// L-HEVC decoder configuration record: ISO/IEC 14496-15, 9.6.2. It contains the parameter sets of layers above the
/// base layer, in multiview and scalable streams.
public struct LayeredDecoderConfigurationRecord: SyntaxStructure {
  public var configurationVersion: UInt8 = 1
  public var reserved1: UInt8 = 0b1111
  public var minSpatialSegmentationIDC: UInt16 = 0
  public var reserved2: UInt8 = 0b11_1111
  public var parallelismType: UInt8 = 0
  public var reserved3: UInt8 = 0b11
  public var numTemporalLayers: UInt8 = 1
  public var temporalIDNested = false
  public var lengthSizeMinusOne: UInt8 = 3
  public var arrays: [NALUnitArray] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    try v.u(4, "reserved", &reserved1)
    try v.u(12, "min_spatial_segmentation_idc", &minSpatialSegmentationIDC)
    try v.u(6, "reserved", &reserved2)
    try v.u(2, "parallelismType", &parallelismType)
    try v.u(2, "reserved", &reserved3)
    try v.u(3, "numTemporalLayers", &numTemporalLayers)
    try v.u(1, "temporalIdNested", &temporalIDNested)
    try v.u(2, "lengthSizeMinusOne", &lengthSizeMinusOne)
    let count = try v.count(8, "numOfArrays", arrays.count)
    try v.list("arrays", &arrays, count: count)
  }
}
