// SPDX-License-Identifier: MIT

public import ApusBytes

/// The clock of the video usability information: ITU-T H.265, E.2.1.
public struct VUITiming: Blank, Hashable, Sendable {
  public var vuiTimingInfoPresentFlag = false
  public var vuiNumUnitsInTick: UInt32 = 0
  public var vuiTimeScale: UInt32 = 0
  public var vuiPOCProportionalToTimingFlag = false
  public var vuiNumTicksPOCDiffOneMinus1: UInt32 = 0
  public var vuiHRDParametersPresentFlag = false
  public var hrdParameters = HRDParameters()

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, maxSubLayersMinus1: UInt8)
    throws(SyntaxError)
  {
    try v.flag("vui_timing_info_present_flag", &vuiTimingInfoPresentFlag)
    guard vuiTimingInfoPresentFlag else { return }
    try v.u(32, "vui_num_units_in_tick", &vuiNumUnitsInTick)
    try v.u(32, "vui_time_scale", &vuiTimeScale)
    try v.flag("vui_poc_proportional_to_timing_flag", &vuiPOCProportionalToTimingFlag)
    if vuiPOCProportionalToTimingFlag {
      try v.ue("vui_num_ticks_poc_diff_one_minus1", &vuiNumTicksPOCDiffOneMinus1)
    }
    try v.flag("vui_hrd_parameters_present_flag", &vuiHRDParametersPresentFlag)
    if vuiHRDParametersPresentFlag {
      try v.group("hrd_parameters") { v throws(SyntaxError) in
        try hrdParameters.syntax(&v, maxSubLayersMinus1: maxSubLayersMinus1)
      }
    }
  }
}

/// An encoder's guarantees about its use of the syntax: ITU-T H.265, E.2.1.
public struct BitstreamRestriction: SyntaxStructure, Hashable {
  public var tilesFixedStructureFlag = false
  public var motionVectorsOverPicBoundariesFlag = true
  public var restrictedRefPicListsFlag = false
  public var minSpatialSegmentationIDC: UInt16 = 0
  public var maxBytesPerPicDenom: UInt8 = 2
  public var maxBitsPerMinCUDenom: UInt8 = 1
  public var log2MaxMVLengthHorizontal: UInt8 = 15
  public var log2MaxMVLengthVertical: UInt8 = 15

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("tiles_fixed_structure_flag", &tilesFixedStructureFlag)
    try v.flag("motion_vectors_over_pic_boundaries_flag", &motionVectorsOverPicBoundariesFlag)
    try v.flag("restricted_ref_pic_lists_flag", &restrictedRefPicListsFlag)
    try v.ue("min_spatial_segmentation_idc", &minSpatialSegmentationIDC, in: 0...4095)
    try v.ue("max_bytes_per_pic_denom", &maxBytesPerPicDenom, in: 0...16)
    try v.ue("max_bits_per_min_cu_denom", &maxBitsPerMinCUDenom, in: 0...16)
    try v.ue("log2_max_mv_length_horizontal", &log2MaxMVLengthHorizontal, in: 0...16)
    try v.ue("log2_max_mv_length_vertical", &log2MaxMVLengthVertical, in: 0...16)
  }
}
