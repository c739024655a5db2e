// SPDX-License-Identifier: MIT

public import ApusBytes

/// `pps_multilayer_extension()`: ITU-T H.265, F.7.3.2.3.4.
public struct PictureMultilayerExtension: SyntaxStructure, Hashable {
  public var pocResetInfoPresentFlag = false
  public var ppsInferScalingListFlag = false
  public var ppsScalingListRefLayerID: UInt8 = 0
  public var references: [ReferenceLocation] = []
  public var colourMappingEnabledFlag = false
  public var colourMapping = ColourMappingTable()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("poc_reset_info_present_flag", &pocResetInfoPresentFlag)
    try v.flag("pps_infer_scaling_list_flag", &ppsInferScalingListFlag)
    if ppsInferScalingListFlag {
      try v.u(6, "pps_scaling_list_ref_layer_id", &ppsScalingListRefLayerID)
    }
    let count = try v.ueCount("num_ref_loc_offsets", references.count, in: 0...62)
    try v.list("ref_loc_offsets", &references, count: count)
    try v.flag("colour_mapping_enabled_flag", &colourMappingEnabledFlag)
    if colourMappingEnabledFlag { try v.group("colour_mapping_table", &colourMapping) }
  }
}

/// The location of a layer's picture in that of the layer it refers to: ITU-T H.265, F.7.3.2.3.4.
public struct ReferenceLocation: SyntaxStructure, Hashable {
  public var refLocOffsetLayerID: UInt8 = 0
  public var scaledRefLayerOffsetPresentFlag = false
  public var scaledRefLayer = Offsets()
  public var refRegionOffsetPresentFlag = false
  public var refRegion = Offsets()
  public var resamplePhaseSetPresentFlag = false
  public var phaseHorLuma: UInt8 = 0
  public var phaseVerLuma: UInt8 = 0
  public var phaseHorChromaPlus8: UInt8 = 8
  public var phaseVerChromaPlus8: UInt8 = 8

  public init() {}

  /// The offsets of a region from the borders of a picture.
  public struct Offsets: Blank, Hashable, Sendable {
    public var left: Int16 = 0
    public var top: Int16 = 0
    public var right: Int16 = 0
    public var bottom: Int16 = 0
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(6, "ref_loc_offset_layer_id", &refLocOffsetLayerID)
    try v.flag("scaled_ref_layer_offset_present_flag", &scaledRefLayerOffsetPresentFlag)
    if scaledRefLayerOffsetPresentFlag {
      try v.se("scaled_ref_layer_left_offset", &scaledRefLayer.left, in: -16384...16383)
      try v.se("scaled_ref_layer_top_offset", &scaledRefLayer.top, in: -16384...16383)
      try v.se("scaled_ref_layer_right_offset", &scaledRefLayer.right, in: -16384...16383)
      try v.se("scaled_ref_layer_bottom_offset", &scaledRefLayer.bottom, in: -16384...16383)
    }
    try v.flag("ref_region_offset_present_flag", &refRegionOffsetPresentFlag)
    if refRegionOffsetPresentFlag {
      try v.se("ref_region_left_offset", &refRegion.left, in: -16384...16383)
      try v.se("ref_region_top_offset", &refRegion.top, in: -16384...16383)
      try v.se("ref_region_right_offset", &refRegion.right, in: -16384...16383)
      try v.se("ref_region_bottom_offset", &refRegion.bottom, in: -16384...16383)
    }
    try v.flag("resample_phase_set_present_flag", &resamplePhaseSetPresentFlag)
    if resamplePhaseSetPresentFlag {
      try v.ue("phase_hor_luma", &phaseHorLuma, in: 0...31)
      try v.ue("phase_ver_luma", &phaseVerLuma, in: 0...31)
      try v.ue("phase_hor_chroma_plus8", &phaseHorChromaPlus8, in: 0...63)
      try v.ue("phase_ver_chroma_plus8", &phaseVerChromaPlus8, in: 0...63)
    }
  }
}
