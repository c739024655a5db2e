// SPDX-License-Identifier: MIT

public import ApusBytes

/// `sps_scc_extension()`: ITU-T H.265, 7.3.2.2.3.
public struct SequenceScreenContentExtension: Blank, Hashable, Sendable {
  public var spsCurrPicRefEnabledFlag = false
  public var paletteModeEnabledFlag = false
  public var paletteMaxSize: UInt8 = 0
  public var deltaPaletteMaxPredictorSize: UInt8 = 0
  public var spsPalettePredictorInitializersPresentFlag = false
  public var spsNumPalettePredictorInitializersMinus1: UInt8 = 0
  /// The initial palette entries of each component.
  public var spsPalettePredictorInitializers: [[UInt16]] = []
  public var motionVectorResolutionControlIDC: UInt8 = 0
  public var intraBoundaryFilteringDisabledFlag = false

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ format: SequenceFormat)
    throws(SyntaxError)
  {
    try v.flag("sps_curr_pic_ref_enabled_flag", &spsCurrPicRefEnabledFlag)
    try v.flag("palette_mode_enabled_flag", &paletteModeEnabledFlag)
    if paletteModeEnabledFlag {
      try v.ue("palette_max_size", &paletteMaxSize, in: 0...64)
      try v.ue("delta_palette_max_predictor_size", &deltaPaletteMaxPredictorSize, in: 0...128)
      try v.flag(
        "sps_palette_predictor_initializers_present_flag",
        &spsPalettePredictorInitializersPresentFlag)
      if spsPalettePredictorInitializersPresentFlag { try initializers(&v, format) }
    }
    try v.u(2, "motion_vector_resolution_control_idc", &motionVectorResolutionControlIDC)
    try v.flag("intra_boundary_filtering_disabled_flag", &intraBoundaryFilteringDisabledFlag)
  }

  private mutating func initializers<V: SyntaxVisitor>(_ v: inout V, _ format: SequenceFormat)
    throws(SyntaxError)
  {
    try v.ue(
      "sps_num_palette_predictor_initializers_minus1", &spsNumPalettePredictorInitializersMinus1,
      in: 0...191)
    let count = Int(spsNumPalettePredictorInitializersMinus1) + 1
    try v.indexed(
      "component", &spsPalettePredictorInitializers, count: format.chromaFormatIDC == 0 ? 1 : 3
    ) { component, values, v throws(SyntaxError) in
      let depth = component == 0 ? format.bitDepthLumaMinus8 : format.bitDepthChromaMinus8
      try v.values(Int(depth) + 8, "sps_palette_predictor_initializer", &values, count: count)
    }
  }
}
