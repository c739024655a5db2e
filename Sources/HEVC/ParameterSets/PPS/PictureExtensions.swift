// SPDX-License-Identifier: MIT

public import ApusBytes

/// The extensions after `pps_extension_present_flag`: ITU-T H.265, 7.3.2.3.1.
public struct PictureExtensions: Blank, Hashable, Sendable {
  public var ppsExtensionPresentFlag = false
  public var ppsRangeExtensionFlag = false
  public var ppsMultilayerExtensionFlag = false
  public var pps3DExtensionFlag = false
  public var ppsSCCExtensionFlag = false
  public var ppsExtension4bits: UInt8 = 0
  public var range = PictureRangeExtension()
  public var multilayer = PictureMultilayerExtension()
  public var threeD = Picture3DExtension()
  public var screenContent = PictureScreenContentExtension()
  /// `pps_extension_data_flag`s.
  public var extensionData: [Bool] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, transformSkipEnabled: Bool)
    throws(SyntaxError)
  {
    try v.flag("pps_extension_present_flag", &ppsExtensionPresentFlag)
    guard ppsExtensionPresentFlag else { return }
    try v.flag("pps_range_extension_flag", &ppsRangeExtensionFlag)
    try v.flag("pps_multilayer_extension_flag", &ppsMultilayerExtensionFlag)
    try v.flag("pps_3d_extension_flag", &pps3DExtensionFlag)
    try v.flag("pps_scc_extension_flag", &ppsSCCExtensionFlag)
    try v.u(4, "pps_extension_4bits", &ppsExtension4bits)
    if ppsRangeExtensionFlag {
      try v.group("pps_range_extension") { v throws(SyntaxError) in
        try range.syntax(&v, transformSkipEnabled: transformSkipEnabled)
      }
    }
    if ppsMultilayerExtensionFlag { try v.group("pps_multilayer_extension", &multilayer) }
    if pps3DExtensionFlag { try v.group("pps_3d_extension", &threeD) }
    if ppsSCCExtensionFlag { try v.group("pps_scc_extension", &screenContent) }
    if ppsExtension4bits != 0 { try v.extensionData("pps_extension_data_flag", &extensionData) }
  }
}

/// `pps_range_extension()`: ITU-T H.265, 7.3.2.3.2.
public struct PictureRangeExtension: Blank, Hashable, Sendable {
  public var log2MaxTransformSkipBlockSizeMinus2: UInt8 = 0
  public var crossComponentPredictionEnabledFlag = false
  public var chromaQPOffsetListEnabledFlag = false
  public var diffCUChromaQPOffsetDepth: UInt8 = 0
  public var chromaQPOffsetListLenMinus1: UInt8 = 0
  public var chromaQPOffsets: [ChromaQPOffset] = []
  public var log2SAOOffsetScaleLuma: UInt8 = 0
  public var log2SAOOffsetScaleChroma: UInt8 = 0

  public init() {}

  /// The offsets of both chroma components in an entry of the list.
  public struct ChromaQPOffset: Blank, Hashable, Sendable {
    public var cb: Int8 = 0
    public var cr: Int8 = 0
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, transformSkipEnabled: Bool)
    throws(SyntaxError)
  {
    if transformSkipEnabled {
      try v.ue(
        "log2_max_transform_skip_block_size_minus2", &log2MaxTransformSkipBlockSizeMinus2,
        in: 0...3)
    }
    try v.flag("cross_component_prediction_enabled_flag", &crossComponentPredictionEnabledFlag)
    try v.flag("chroma_qp_offset_list_enabled_flag", &chromaQPOffsetListEnabledFlag)
    if chromaQPOffsetListEnabledFlag {
      try v.ue("diff_cu_chroma_qp_offset_depth", &diffCUChromaQPOffsetDepth, in: 0...3)
      try v.ue("chroma_qp_offset_list_len_minus1", &chromaQPOffsetListLenMinus1, in: 0...5)
      let count = Int(chromaQPOffsetListLenMinus1) + 1
      try v.list("chroma_qp_offset_list", &chromaQPOffsets, count: count) {
        offset, v throws(SyntaxError) in
        try v.se("cb_qp_offset_list", &offset.cb, in: -12...12)
        try v.se("cr_qp_offset_list", &offset.cr, in: -12...12)
      }
    }
    try v.ue("log2_sao_offset_scale_luma", &log2SAOOffsetScaleLuma, in: 0...6)
    try v.ue("log2_sao_offset_scale_chroma", &log2SAOOffsetScaleChroma, in: 0...6)
  }
}
