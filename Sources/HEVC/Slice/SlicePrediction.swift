// SPDX-License-Identifier: MIT

public import ApusBytes

/// The use of reference pictures by a P or B slice (in `slice_segment_header()`): ITU-T H.265, 7.3.6.1.
public struct SlicePrediction: Blank, Hashable, Sendable {
  public var numRefIdxActiveOverrideFlag = false
  public var numRefIdxL0ActiveMinus1: UInt8 = 0
  public var numRefIdxL1ActiveMinus1: UInt8 = 0
  public var refPicListModificationFlagL0 = false
  public var listEntryL0: [UInt8] = []
  public var refPicListModificationFlagL1 = false
  public var listEntryL1: [UInt8] = []
  public var mvdL1ZeroFlag = false
  public var cabacInitFlag = false
  public var collocatedFromL0Flag = true
  public var collocatedRefIdx: UInt8 = 0
  public var weights = PredictionWeightTable()
  public var fiveMinusMaxNumMergeCand: UInt8 = 0
  public var useIntegerMVFlag = false

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, _ context: SliceContext, _ type: SliceType, _ references: SliceReferences
  ) throws(SyntaxError) {
    let pps = context.pps
    try v.flag("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag)
    if numRefIdxActiveOverrideFlag {
      try v.ue("num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, in: 0...14)
      if type == .b {
        try v.ue("num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, in: 0...14)
      }
    } else if v.isReading {
      numRefIdxL0ActiveMinus1 = pps.numRefIdxL0DefaultActiveMinus1
      numRefIdxL1ActiveMinus1 = pps.numRefIdxL1DefaultActiveMinus1
    }
    let used = references.usedCount(context)
    if pps.listsModificationPresentFlag, used > 1 { try listModification(&v, type, used) }
    if type == .b { try v.flag("mvd_l1_zero_flag", &mvdL1ZeroFlag) }
    if pps.cabacInitPresentFlag { try v.flag("cabac_init_flag", &cabacInitFlag) }
    if references.sliceTemporalMVPEnabledFlag {
      if type == .b { try v.flag("collocated_from_l0_flag", &collocatedFromL0Flag) }
      if (collocatedFromL0Flag ? numRefIdxL0ActiveMinus1 : numRefIdxL1ActiveMinus1) > 0 {
        try v.ue("collocated_ref_idx", &collocatedRefIdx, in: 0...14)
      }
    }
    if (pps.weightedPredFlag && type == .p) || (pps.weightedBipredFlag && type == .b) {
      guard !pps.extensions.screenContent.ppsCurrPicRefEnabledFlag else {
        throw v.failure(
          .unsupported, "pred_weight_table",
          "depends on the reference lists where the current picture may be in them")
      }
      let counts = (Int(numRefIdxL0ActiveMinus1) + 1, Int(numRefIdxL1ActiveMinus1) + 1)
      let hasChroma = context.format.chromaArrayType != 0
      try v.group("pred_weight_table") { v throws(SyntaxError) in
        try weights.syntax(&v, counts: counts, isBipredicted: type == .b, hasChroma: hasChroma)
      }
    }
    try v.ue("five_minus_max_num_merge_cand", &fiveMinusMaxNumMergeCand, in: 0...4)
    if context.sps.extensions.screenContent.motionVectorResolutionControlIDC == 2 {
      try v.flag("use_integer_mv_flag", &useIntegerMVFlag)
    }
  }

  /// `ref_pic_lists_modification()`: 7.3.6.2.
  private mutating func listModification<V: SyntaxVisitor>(
    _ v: inout V, _ type: SliceType, _ used: Int
  ) throws(SyntaxError) {
    let bits = bitsToTellApart(used)
    try v.flag("ref_pic_list_modification_flag_l0", &refPicListModificationFlagL0)
    if refPicListModificationFlagL0 {
      try v.values(bits, "list_entry_l0", &listEntryL0, count: Int(numRefIdxL0ActiveMinus1) + 1)
    }
    guard type == .b else { return }
    try v.flag("ref_pic_list_modification_flag_l1", &refPicListModificationFlagL1)
    if refPicListModificationFlagL1 {
      try v.values(bits, "list_entry_l1", &listEntryL1, count: Int(numRefIdxL1ActiveMinus1) + 1)
    }
  }
}
