// SPDX-License-Identifier: MIT

public import ApusBytes

/// Slice header of H.264 (`slice_header()`): ITU-T H.264, 7.3.3.
public struct AVCSliceHeader: SyntaxStructure {
  /// The fields up to those that determine picture order.
  public var start = AVCSliceStart()
  public var redundantPicCnt: UInt8 = 0
  public var directSpatialMVPredFlag = false
  public var numRefIdxActiveOverrideFlag = false
  public var numRefIdxL0ActiveMinus1: UInt8 = 0
  public var numRefIdxL1ActiveMinus1: UInt8 = 0
  public var listL0 = AVCListModification()
  public var listL1 = AVCListModification()
  public var weights = AVCPredictionWeights()
  public var marking = AVCReferenceMarking()
  public var cabacInitIDC: UInt8 = 0
  public var sliceQPDelta: Int8 = 0
  public var spForSwitchFlag = false
  public var sliceQSDelta: Int8 = 0
  public var disableDeblockingFilterIDC: UInt8 = 0
  public var sliceAlphaC0OffsetDiv2: Int8 = 0
  public var sliceBetaOffsetDiv2: Int8 = 0
  public var sliceGroupChangeCycle: UInt32 = 0

  private let sets: AVCKnownSets

  public init() { self.init(in: AVCNALUnitHeader(), sets: AVCKnownSets()) }

  /// Creates an empty header to be read in a NAL unit.
  ///
  /// - Parameter sets: the parameter sets that the slice may refer to.
  public init(in header: AVCNALUnitHeader, sets: AVCKnownSets) {
    start = AVCSliceStart(in: header)
    self.sets = sets
  }

  /// The picture parameter set in use.
  public var pictureParameterSet: AVCPictureParameterSet? { sets.pictures[start.pictureSetID] }

  /// The kind of slice, `slice_type` modulo 5.
  private enum Kind: UInt8 {
    case p, b, i, sp, si
  }

  private var kind: Kind { Kind(rawValue: start.sliceType % 5) ?? .i }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.reference(&v)
    guard let picture = pictureParameterSet, let sequence = sets.sequences[picture.sequenceID]
    else {
      throw v.failure(
        .unsupported, "pic_parameter_set_id",
        "is \(start.pictureSetID), whose parameter sets were not seen")
    }
    try start.order(&v, picture, sequence)
    if picture.redundantPicCntPresentFlag {
      try v.ue("redundant_pic_cnt", &redundantPicCnt, in: 0...127)
    }
    if kind == .b { try v.flag("direct_spatial_mv_pred_flag", &directSpatialMVPredFlag) }
    if kind == .p || kind == .sp || kind == .b { try prediction(&v, picture, sequence) }
    if start.isReference { try marking.syntax(&v, isIDR: start.isIDR) }
    if picture.entropyCodingModeFlag, kind != .i, kind != .si {
      try v.ue("cabac_init_idc", &cabacInitIDC, in: 0...2)
    }
    try v.se("slice_qp_delta", &sliceQPDelta, in: -87...87)
    if kind == .sp { try v.flag("sp_for_switch_flag", &spForSwitchFlag) }
    if kind == .sp || kind == .si { try v.se("slice_qs_delta", &sliceQSDelta, in: -51...51) }
    if picture.deblockingFilterControlPresentFlag { try deblocking(&v) }
    if (3...5).contains(picture.sliceGroups.mapType), picture.sliceGroups.numSliceGroupsMinus1 > 0 {
      try v.u(
        Self.cycleBits(picture, sequence), "slice_group_change_cycle", &sliceGroupChangeCycle)
    }
  }

  private mutating func prediction<V: SyntaxVisitor>(
    _ v: inout V, _ picture: AVCPictureParameterSet, _ sequence: AVCSequenceParameterSet
  ) throws(SyntaxError) {
    try v.flag("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag)
    if numRefIdxActiveOverrideFlag {
      try v.ue("num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, in: 0...31)
      if kind == .b {
        try v.ue("num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, in: 0...31)
      }
    } else if v.isReading {
      numRefIdxL0ActiveMinus1 = picture.numRefIdxL0DefaultActiveMinus1
      numRefIdxL1ActiveMinus1 = picture.numRefIdxL1DefaultActiveMinus1
    }
    try listL0.syntax(&v, "ref_pic_list_modification_flag_l0")
    if kind == .b { try listL1.syntax(&v, "ref_pic_list_modification_flag_l1") }
    if kind == .b ? picture.weightedBipredIDC == 1 : picture.weightedPredFlag {
      let counts = (Int(numRefIdxL0ActiveMinus1) + 1, Int(numRefIdxL1ActiveMinus1) + 1)
      let format = sequence.format
      let hasChroma = !format.separateColourPlaneFlag && format.chromaFormatIDC != 0
      let isBipredicted = kind == .b
      try v.group("pred_weight_table") { v throws(SyntaxError) in
        try weights.syntax(
          &v, counts: counts, isBipredicted: isBipredicted, hasChroma: hasChroma)
      }
    }
  }

  private mutating func deblocking<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("disable_deblocking_filter_idc", &disableDeblockingFilterIDC, in: 0...2)
    guard disableDeblockingFilterIDC != 1 else { return }
    try v.se("slice_alpha_c0_offset_div2", &sliceAlphaC0OffsetDiv2, in: -6...6)
    try v.se("slice_beta_offset_div2", &sliceBetaOffsetDiv2, in: -6...6)
  }

  /// Returns the size of `slice_group_change_cycle`: 7.4.3.
  private static func cycleBits(
    _ picture: AVCPictureParameterSet, _ sequence: AVCSequenceParameterSet
  ) -> Int {
    let size =
      (Int(sequence.picWidthInMbsMinus1) + 1) * (Int(sequence.picHeightInMapUnitsMinus1) + 1)
    let rate = Int(picture.sliceGroups.sliceGroupChangeRateMinus1) + 1
    return bitsToTellApart((size + rate - 1) / rate + 1)
  }
}
