// SPDX-License-Identifier: MIT

public import ApusBytes

/// Picture parameter set (`pic_parameter_set_rbsp()`): ITU-T H.265, 7.3.2.3.1.
public struct PictureParameterSet: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.pps]

  public var ppsPicParameterSetID: UInt8 = 0
  public var ppsSeqParameterSetID: UInt8 = 0
  public var dependentSliceSegmentsEnabledFlag = false
  public var outputFlagPresentFlag = false
  public var numExtraSliceHeaderBits: UInt8 = 0
  public var signDataHidingEnabledFlag = false
  public var cabacInitPresentFlag = false
  public var numRefIdxL0DefaultActiveMinus1: UInt8 = 0
  public var numRefIdxL1DefaultActiveMinus1: UInt8 = 0
  public var initQPMinus26: Int8 = 0
  public var constrainedIntraPredFlag = false
  public var transformSkipEnabledFlag = false
  public var cuQPDeltaEnabledFlag = false
  public var diffCUQPDeltaDepth: UInt8 = 0
  public var ppsCBQPOffset: Int8 = 0
  public var ppsCRQPOffset: Int8 = 0
  public var ppsSliceChromaQPOffsetsPresentFlag = false
  public var weightedPredFlag = false
  public var weightedBipredFlag = false
  public var transquantBypassEnabledFlag = false
  public var tilesEnabledFlag = false
  public var entropyCodingSyncEnabledFlag = false
  public var tiles = TileGrid()
  public var ppsLoopFilterAcrossSlicesEnabledFlag = false
  public var deblocking = DeblockingControl()
  public var ppsScalingListDataPresentFlag = false
  public var scalingListData = ScalingListData()
  public var listsModificationPresentFlag = false
  public var log2ParallelMergeLevelMinus2: UInt8 = 0
  public var sliceSegmentHeaderExtensionPresentFlag = false
  public var extensions = PictureExtensions()

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("pps_pic_parameter_set_id", &ppsPicParameterSetID, in: 0...63)
    try v.ue("pps_seq_parameter_set_id", &ppsSeqParameterSetID, in: 0...15)
    try v.flag("dependent_slice_segments_enabled_flag", &dependentSliceSegmentsEnabledFlag)
    try v.flag("output_flag_present_flag", &outputFlagPresentFlag)
    try v.u(3, "num_extra_slice_header_bits", &numExtraSliceHeaderBits)
    try v.flag("sign_data_hiding_enabled_flag", &signDataHidingEnabledFlag)
    try v.flag("cabac_init_present_flag", &cabacInitPresentFlag)
    try v.ue("num_ref_idx_l0_default_active_minus1", &numRefIdxL0DefaultActiveMinus1, in: 0...14)
    try v.ue("num_ref_idx_l1_default_active_minus1", &numRefIdxL1DefaultActiveMinus1, in: 0...14)
    try v.se("init_qp_minus26", &initQPMinus26, in: -74...25)
    try v.flag("constrained_intra_pred_flag", &constrainedIntraPredFlag)
    try v.flag("transform_skip_enabled_flag", &transformSkipEnabledFlag)
    try v.flag("cu_qp_delta_enabled_flag", &cuQPDeltaEnabledFlag)
    if cuQPDeltaEnabledFlag { try v.ue("diff_cu_qp_delta_depth", &diffCUQPDeltaDepth, in: 0...3) }
    try v.se("pps_cb_qp_offset", &ppsCBQPOffset, in: -12...12)
    try v.se("pps_cr_qp_offset", &ppsCRQPOffset, in: -12...12)
    try v.flag("pps_slice_chroma_qp_offsets_present_flag", &ppsSliceChromaQPOffsetsPresentFlag)
    try v.flag("weighted_pred_flag", &weightedPredFlag)
    try v.flag("weighted_bipred_flag", &weightedBipredFlag)
    try v.flag("transquant_bypass_enabled_flag", &transquantBypassEnabledFlag)
    try v.flag("tiles_enabled_flag", &tilesEnabledFlag)
    try v.flag("entropy_coding_sync_enabled_flag", &entropyCodingSyncEnabledFlag)
    if tilesEnabledFlag { try tiles.syntax(&v) }
    try v.flag("pps_loop_filter_across_slices_enabled_flag", &ppsLoopFilterAcrossSlicesEnabledFlag)
    try deblocking.syntax(&v)
    try v.flag("pps_scaling_list_data_present_flag", &ppsScalingListDataPresentFlag)
    if ppsScalingListDataPresentFlag { try v.group("scaling_list_data", &scalingListData) }
    try v.flag("lists_modification_present_flag", &listsModificationPresentFlag)
    try v.ue("log2_parallel_merge_level_minus2", &log2ParallelMergeLevelMinus2, in: 0...4)
    try v.flag(
      "slice_segment_header_extension_present_flag", &sliceSegmentHeaderExtensionPresentFlag)
    try extensions.syntax(&v, transformSkipEnabled: transformSkipEnabledFlag)
  }
}
