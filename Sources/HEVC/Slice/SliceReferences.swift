// SPDX-License-Identifier: MIT

public import ApusBytes

/// The order of a picture, and the pictures that it keeps (in `slice_segment_header()`): ITU-T H.265, 7.3.6.1.
public struct SliceReferences: Blank, Hashable, Sendable {
  public var slicePicOrderCntLSB: UInt32 = 0
  public var shortTermRefPicSetSPSFlag = false
  public var ownSet = ShortTermReferencePictureSet()
  public var shortTermRefPicSetIdx: UInt8 = 0
  public var numLongTermSPS: UInt8 = 0
  public var numLongTermPics: UInt8 = 0
  public var longTerm: [LongTerm] = []
  public var sliceTemporalMVPEnabledFlag = false
  /// The short-term set in use, with prediction resolved.
  public private(set) var deltas = ReferencePictureDeltas()

  public init() {}

  /// A long-term reference picture.
  public struct LongTerm: Blank, Hashable, Sendable {
    public var ltIdxSPS: UInt8 = 0
    public var pocLSBLT: UInt32 = 0
    public var usedByCurrPicLTFlag = false
    public var deltaPOCMSBPresentFlag = false
    public var deltaPOCMSBCycleLT: UInt32 = 0
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ context: SliceContext)
    throws(SyntaxError)
  {
    let isIDR = context.header.nalUnitType.isIDR
    guard !isIDR || context.hasOrderCountInIDR else { return }
    let sps = context.sps
    let bits = Int(sps.log2MaxPicOrderCntLSBMinus4) + 4
    try v.u(bits, "slice_pic_order_cnt_lsb", &slicePicOrderCntLSB)
    guard !isIDR else { return }
    try v.flag("short_term_ref_pic_set_sps_flag", &shortTermRefPicSetSPSFlag)
    let known = context.sets.known
    let count = known.deltas.count
    if !shortTermRefPicSetSPSFlag {
      try v.group("st_ref_pic_set") { v throws(SyntaxError) in
        try ownSet.syntax(&v, index: count, count: count, known: known, limit: 16)
      }
      deltas = ownSet.deltas(at: count, known: known)
    } else {
      if count > 1 {
        try v.u(bitsToTellApart(count), "short_term_ref_pic_set_idx", &shortTermRefPicSetIdx)
      }
      guard known.deltas.indices.contains(Int(shortTermRefPicSetIdx)) else {
        throw v.failure(
          .invalid, "short_term_ref_pic_set_idx",
          "is \(shortTermRefPicSetIdx), the sequence has \(count) sets")
      }
      deltas = known.deltas[Int(shortTermRefPicSetIdx)]
    }
    if sps.longTermRefPicsPresentFlag { try longTermPictures(&v, sps, bits) }
    if sps.spsTemporalMVPEnabledFlag {
      try v.flag("slice_temporal_mvp_enabled_flag", &sliceTemporalMVPEnabledFlag)
    }
  }

  private mutating func longTermPictures<V: SyntaxVisitor>(
    _ v: inout V, _ sps: SequenceParameterSet, _ bits: Int
  ) throws(SyntaxError) {
    let known = sps.longTermReferencePictures.count
    if known > 0 { try v.ue("num_long_term_sps", &numLongTermSPS, in: 0...UInt8(clamping: known)) }
    try v.ue("num_long_term_pics", &numLongTermPics, in: 0...33)
    let named = Int(numLongTermSPS)
    try v.indexed("long_term", &longTerm, count: named + Int(numLongTermPics)) {
      index, picture, v throws(SyntaxError) in
      if index < named {
        if known > 1 { try v.u(bitsToTellApart(known), "lt_idx_sps", &picture.ltIdxSPS) }
        guard Int(picture.ltIdxSPS) < known else {
          throw v.failure(.invalid, "lt_idx_sps", "is \(picture.ltIdxSPS), there are \(known)")
        }
      } else {
        try v.u(bits, "poc_lsb_lt", &picture.pocLSBLT)
        try v.flag("used_by_curr_pic_lt_flag", &picture.usedByCurrPicLTFlag)
      }
      try v.flag("delta_poc_msb_present_flag", &picture.deltaPOCMSBPresentFlag)
      if picture.deltaPOCMSBPresentFlag {
        try v.ue("delta_poc_msb_cycle_lt", &picture.deltaPOCMSBCycleLT)
      }
    }
  }

  /// Returns `NumPicTotalCurr`, the number of pictures that the current one may refer to.
  func usedCount(_ context: SliceContext) -> Int {
    let known = context.sps.longTermReferencePictures
    let longTermUsed = longTerm.enumerated().count { index, picture in
      guard index < Int(numLongTermSPS) else { return picture.usedByCurrPicLTFlag }
      let entry = Int(picture.ltIdxSPS)
      return known.indices.contains(entry) && known[entry].usedByCurrPicLTSPSFlag
    }
    let current = context.pps.extensions.screenContent.ppsCurrPicRefEnabledFlag ? 1 : 0
    return deltas.usedCount + longTermUsed + current
  }
}
