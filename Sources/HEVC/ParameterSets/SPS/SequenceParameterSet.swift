// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sequence parameter set (`seq_parameter_set_rbsp()`): ITU-T H.265, 7.3.2.2.1 and F.7.3.2.2.1.
public struct SequenceParameterSet: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.sps]

  /// The layer ID of the NAL unit: the syntax differs above 0.
  public var nuhLayerID: UInt8 = 0
  public var spsVideoParameterSetID: UInt8 = 0
  /// `sps_max_sub_layers_minus1`; in a layer above 0 `sps_ext_or_max_sub_layers_minus1`, where 7 means that the VPS
  /// contains most of it.
  public var spsMaxSubLayersMinus1: UInt8 = 0
  public var spsTemporalIDNestingFlag = false
  public var profileTierLevel = ProfileTierLevel()
  public var spsSeqParameterSetID: UInt8 = 0
  public var updateRepFormatFlag = false
  public var spsRepFormatIdx: UInt8 = 0
  public var format = SequenceFormat()
  public var log2MaxPicOrderCntLSBMinus4: UInt8 = 0
  public var spsSubLayerOrderingInfoPresentFlag = false
  /// The ordering of each sub-layer, or only of the highest if the flag is off.
  public var subLayerOrdering: [SubLayerOrdering] = []
  public var coding = SequenceCodingTools()
  public var shortTermReferencePictureSets: [ShortTermReferencePictureSet] = []
  public var longTermRefPicsPresentFlag = false
  public var longTermReferencePictures: [LongTermReferencePicture] = []
  public var spsTemporalMVPEnabledFlag = false
  public var strongIntraSmoothingEnabledFlag = false
  public var vuiParametersPresentFlag = false
  public var vui = VUIParameters()
  public var extensions = SequenceExtensions()

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {
    nuhLayerID = header.nuhLayerID
    videoSubLayers = sets.videos.mapValues(\.vpsMaxSubLayersMinus1)
  }

  /// The values that a set in a layer above 0 inherits from its video parameter set, keyed by that set's ID.
  private var videoSubLayers: [UInt8: UInt8] = [:]

  /// `MultiLayerExtSpsFlag`.
  public var isMultilayerExtension: Bool { nuhLayerID != 0 && spsMaxSubLayersMinus1 == 7 }

  /// A candidate for a long-term reference picture, listed in the sequence parameter set.
  public struct LongTermReferencePicture: Blank, Hashable, Sendable {
    public var ltRefPicPOCLSBSPS: UInt32 = 0
    public var usedByCurrPicLTSPSFlag = false
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "sps_video_parameter_set_id", &spsVideoParameterSetID)
    try v.u(
      3, nuhLayerID == 0 ? "sps_max_sub_layers_minus1" : "sps_ext_or_max_sub_layers_minus1",
      &spsMaxSubLayersMinus1)
    let isExtension = isMultilayerExtension
    guard isExtension || spsMaxSubLayersMinus1 <= 6 else {
      throw v.failure(.invalid, "sps_max_sub_layers_minus1", "is 7, allowed are 0 to 6")
    }
    if !isExtension {
      try v.flag("sps_temporal_id_nesting_flag", &spsTemporalIDNestingFlag)
      let maxSubLayersMinus1 = spsMaxSubLayersMinus1
      try v.group("profile_tier_level") { v throws(SyntaxError) in
        try profileTierLevel.syntax(
          &v, profilePresent: true, maxSubLayersMinus1: maxSubLayersMinus1)
      }
    }
    try v.ue("sps_seq_parameter_set_id", &spsSeqParameterSetID, in: 0...15)
    if isExtension {
      try v.flag("update_rep_format_flag", &updateRepFormatFlag)
      if updateRepFormatFlag { try v.u(8, "sps_rep_format_idx", &spsRepFormatIdx) }
    } else {
      try format.syntax(&v)
    }
    try v.ue("log2_max_pic_order_cnt_lsb_minus4", &log2MaxPicOrderCntLSBMinus4, in: 0...12)
    if !isExtension {
      try v.flag("sps_sub_layer_ordering_info_present_flag", &spsSubLayerOrderingInfoPresentFlag)
      let count = spsSubLayerOrderingInfoPresentFlag ? Int(spsMaxSubLayersMinus1) + 1 : 1
      try v.list("sub_layer_ordering_info", &subLayerOrdering, count: count) {
        layer, v throws(SyntaxError) in try layer.syntax(&v, isVideo: false)
      }
    }
    try coding.syntax(&v, isMultilayerExtension: isExtension, format)
    try referencePictureSets(&v)
    try v.flag("sps_temporal_mvp_enabled_flag", &spsTemporalMVPEnabledFlag)
    try v.flag("strong_intra_smoothing_enabled_flag", &strongIntraSmoothingEnabledFlag)
    try v.flag("vui_parameters_present_flag", &vuiParametersPresentFlag)
    if vuiParametersPresentFlag {
      let maxSubLayersMinus1 =
        isExtension ? videoSubLayers[spsVideoParameterSetID] ?? 0 : spsMaxSubLayersMinus1
      try v.group("vui_parameters") { v throws(SyntaxError) in
        try vui.syntax(&v, maxSubLayersMinus1: maxSubLayersMinus1)
      }
    }
    try extensions.syntax(&v, format)
  }

  private mutating func referencePictureSets<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.ueCount(
      "num_short_term_ref_pic_sets", shortTermReferencePictureSets.count, in: 0...64)
    var known = ShortTermReferencePictureSet.Known()
    try v.indexed("st_ref_pic_set", &shortTermReferencePictureSets, count: count) {
      index, set, v throws(SyntaxError) in
      try set.syntax(&v, index: index, count: count, known: known, limit: 16)
      known.deltas.append(set.deltas(at: index, known: known))
    }
    try v.flag("long_term_ref_pics_present_flag", &longTermRefPicsPresentFlag)
    guard longTermRefPicsPresentFlag else { return }
    let longTerm = try v.ueCount(
      "num_long_term_ref_pics_sps", longTermReferencePictures.count, in: 0...32)
    let bits = Int(log2MaxPicOrderCntLSBMinus4) + 4
    try v.list("long_term_ref_pics_sps", &longTermReferencePictures, count: longTerm) {
      picture, v throws(SyntaxError) in
      try v.u(bits, "lt_ref_pic_poc_lsb_sps", &picture.ltRefPicPOCLSBSPS)
      try v.flag("used_by_curr_pic_lt_sps_flag", &picture.usedByCurrPicLTSPSFlag)
    }
  }

  /// The short-term reference picture sets with prediction resolved.
  public var referencePictureDeltas: [ReferencePictureDeltas] {
    var known = ShortTermReferencePictureSet.Known()
    for (index, set) in shortTermReferencePictureSets.enumerated() {
      known.deltas.append(set.deltas(at: index, known: known))
    }
    return known.deltas
  }
}
