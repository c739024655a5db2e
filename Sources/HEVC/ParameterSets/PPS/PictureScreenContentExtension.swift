// SPDX-License-Identifier: MIT

public import ApusBytes

/// `pps_scc_extension()`: ITU-T H.265, 7.3.2.3.3.
public struct PictureScreenContentExtension: SyntaxStructure, Hashable {
  public var ppsCurrPicRefEnabledFlag = false
  public var residualAdaptiveColourTransformEnabledFlag = false
  public var ppsSliceACTQPOffsetsPresentFlag = false
  public var ppsACTYQPOffsetPlus5: Int8 = 0
  public var ppsACTCBQPOffsetPlus5: Int8 = 0
  public var ppsACTCRQPOffsetPlus3: Int8 = 0
  public var ppsPalettePredictorInitializersPresentFlag = false
  public var ppsNumPalettePredictorInitializers: UInt8 = 0
  public var monochromePaletteFlag = false
  public var lumaBitDepthEntryMinus8: UInt8 = 0
  public var chromaBitDepthEntryMinus8: UInt8 = 0
  /// The initial palette entries of each component.
  public var ppsPalettePredictorInitializers: [[UInt16]] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("pps_curr_pic_ref_enabled_flag", &ppsCurrPicRefEnabledFlag)
    try v.flag(
      "residual_adaptive_colour_transform_enabled_flag", &residualAdaptiveColourTransformEnabledFlag
    )
    if residualAdaptiveColourTransformEnabledFlag {
      try v.flag("pps_slice_act_qp_offsets_present_flag", &ppsSliceACTQPOffsetsPresentFlag)
      try v.se("pps_act_y_qp_offset_plus5", &ppsACTYQPOffsetPlus5, in: -7...17)
      try v.se("pps_act_cb_qp_offset_plus5", &ppsACTCBQPOffsetPlus5, in: -7...17)
      try v.se("pps_act_cr_qp_offset_plus3", &ppsACTCRQPOffsetPlus3, in: -9...15)
    }
    try v.flag(
      "pps_palette_predictor_initializers_present_flag", &ppsPalettePredictorInitializersPresentFlag
    )
    if ppsPalettePredictorInitializersPresentFlag { try initializers(&v) }
  }

  private mutating func initializers<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue(
      "pps_num_palette_predictor_initializers", &ppsNumPalettePredictorInitializers, in: 0...192)
    guard ppsNumPalettePredictorInitializers > 0 else { return }
    try v.flag("monochrome_palette_flag", &monochromePaletteFlag)
    try v.ue("luma_bit_depth_entry_minus8", &lumaBitDepthEntryMinus8, in: 0...8)
    if !monochromePaletteFlag {
      try v.ue("chroma_bit_depth_entry_minus8", &chromaBitDepthEntryMinus8, in: 0...8)
    }
    let count = Int(ppsNumPalettePredictorInitializers)
    let depths = (Int(lumaBitDepthEntryMinus8) + 8, Int(chromaBitDepthEntryMinus8) + 8)
    try v.indexed(
      "component", &ppsPalettePredictorInitializers, count: monochromePaletteFlag ? 1 : 3
    ) { component, values, v throws(SyntaxError) in
      try v.values(
        component == 0 ? depths.0 : depths.1, "pps_palette_predictor_initializer", &values,
        count: count)
    }
  }
}
