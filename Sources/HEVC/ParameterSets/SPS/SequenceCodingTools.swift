// SPDX-License-Identifier: MIT

public import ApusBytes

/// The part of a sequence parameter set about block sizes and coding tools: ITU-T H.265, 7.3.2.2.1.
public struct SequenceCodingTools: Blank, Hashable, Sendable {
  public var log2MinLumaCodingBlockSizeMinus3: UInt8 = 0
  public var log2DiffMaxMinLumaCodingBlockSize: UInt8 = 0
  public var log2MinLumaTransformBlockSizeMinus2: UInt8 = 0
  public var log2DiffMaxMinLumaTransformBlockSize: UInt8 = 0
  public var maxTransformHierarchyDepthInter: UInt8 = 0
  public var maxTransformHierarchyDepthIntra: UInt8 = 0
  public var scalingListEnabledFlag = false
  public var spsInferScalingListFlag = false
  public var spsScalingListRefLayerID: UInt8 = 0
  public var spsScalingListDataPresentFlag = false
  public var scalingListData = ScalingListData()
  public var ampEnabledFlag = false
  public var sampleAdaptiveOffsetEnabledFlag = false
  public var pcmEnabledFlag = false
  public var pcmSampleBitDepthLumaMinus1: UInt8 = 0
  public var pcmSampleBitDepthChromaMinus1: UInt8 = 0
  public var log2MinPCMLumaCodingBlockSizeMinus3: UInt8 = 0
  public var log2DiffMaxMinPCMLumaCodingBlockSize: UInt8 = 0
  public var pcmLoopFilterDisabledFlag = false

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, isMultilayerExtension: Bool, _ format: SequenceFormat
  ) throws(SyntaxError) {
    try v.ue("log2_min_luma_coding_block_size_minus3", &log2MinLumaCodingBlockSizeMinus3, in: 0...3)
    try v.ue(
      "log2_diff_max_min_luma_coding_block_size", &log2DiffMaxMinLumaCodingBlockSize,
      in: 0...(3 - log2MinLumaCodingBlockSizeMinus3))
    try v.ue(
      "log2_min_luma_transform_block_size_minus2", &log2MinLumaTransformBlockSizeMinus2, in: 0...3)
    try v.ue(
      "log2_diff_max_min_luma_transform_block_size", &log2DiffMaxMinLumaTransformBlockSize,
      in: 0...3)
    try v.ue("max_transform_hierarchy_depth_inter", &maxTransformHierarchyDepthInter, in: 0...4)
    try v.ue("max_transform_hierarchy_depth_intra", &maxTransformHierarchyDepthIntra, in: 0...4)
    try v.flag("scaling_list_enabled_flag", &scalingListEnabledFlag)
    if scalingListEnabledFlag { try scalingList(&v, isMultilayerExtension) }
    try v.flag("amp_enabled_flag", &ampEnabledFlag)
    try v.flag("sample_adaptive_offset_enabled_flag", &sampleAdaptiveOffsetEnabledFlag)
    try v.flag("pcm_enabled_flag", &pcmEnabledFlag)
    if pcmEnabledFlag {
      try v.u(4, "pcm_sample_bit_depth_luma_minus1", &pcmSampleBitDepthLumaMinus1)
      try v.u(4, "pcm_sample_bit_depth_chroma_minus1", &pcmSampleBitDepthChromaMinus1)
      try v.ue(
        "log2_min_pcm_luma_coding_block_size_minus3", &log2MinPCMLumaCodingBlockSizeMinus3,
        in: 0...2)
      try v.ue(
        "log2_diff_max_min_pcm_luma_coding_block_size", &log2DiffMaxMinPCMLumaCodingBlockSize,
        in: 0...2)
      try v.flag("pcm_loop_filter_disabled_flag", &pcmLoopFilterDisabledFlag)
    }
  }

  private mutating func scalingList<V: SyntaxVisitor>(_ v: inout V, _ isMultilayerExtension: Bool)
    throws(SyntaxError)
  {
    if isMultilayerExtension { try v.flag("sps_infer_scaling_list_flag", &spsInferScalingListFlag) }
    guard !spsInferScalingListFlag else {
      return try v.u(6, "sps_scaling_list_ref_layer_id", &spsScalingListRefLayerID)
    }
    try v.flag("sps_scaling_list_data_present_flag", &spsScalingListDataPresentFlag)
    if spsScalingListDataPresentFlag { try v.group("scaling_list_data", &scalingListData) }
  }

  /// `CtbLog2SizeY`.
  public var ctbLog2Size: UInt8 {
    log2MinLumaCodingBlockSizeMinus3 + 3 + log2DiffMaxMinLumaCodingBlockSize
  }
}
