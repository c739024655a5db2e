// SPDX-License-Identifier: MIT

public import ApusBytes

/// Video parameter set (`video_parameter_set_rbsp()`): ITU-T H.265, 7.3.2.1 and F.7.3.2.1.
public struct VideoParameterSet: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.vps]

  public var vpsVideoParameterSetID: UInt8 = 0
  public var vpsBaseLayerInternalFlag = true
  public var vpsBaseLayerAvailableFlag = true
  public var vpsMaxLayersMinus1: UInt8 = 0
  public var vpsMaxSubLayersMinus1: UInt8 = 0
  public var vpsTemporalIDNestingFlag = true
  public var vpsReserved0xffff16bits: UInt16 = 0xffff
  public var profileTierLevel = ProfileTierLevel()
  public var vpsSubLayerOrderingInfoPresentFlag = false
  /// The ordering of each sub-layer, or only of the highest if the flag is off.
  public var subLayerOrdering: [SubLayerOrdering] = []
  public var vpsMaxLayerID: UInt8 = 0
  /// Whether each layer ID is in a layer set, for each set except the first.
  public var layerIDIncludedFlags: [[Bool]] = []
  public var timing = VideoTiming()
  public var vpsExtensionFlag = false
  public var vpsExtensionAlignmentBits: UInt8 = 0
  public var vpsExtension = VideoParameterSetExtension()
  public var vpsExtension2Flag = false
  /// `vps_extension_data_flag`s.
  public var extensionData: [Bool] = []

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "vps_video_parameter_set_id", &vpsVideoParameterSetID)
    try v.flag("vps_base_layer_internal_flag", &vpsBaseLayerInternalFlag)
    try v.flag("vps_base_layer_available_flag", &vpsBaseLayerAvailableFlag)
    try v.u(6, "vps_max_layers_minus1", &vpsMaxLayersMinus1)
    try v.u(3, "vps_max_sub_layers_minus1", &vpsMaxSubLayersMinus1)
    guard vpsMaxSubLayersMinus1 <= 6 else {
      throw v.failure(.invalid, "vps_max_sub_layers_minus1", "is 7, allowed are 0 to 6")
    }
    try v.flag("vps_temporal_id_nesting_flag", &vpsTemporalIDNestingFlag)
    try v.u(16, "vps_reserved_0xffff_16bits", &vpsReserved0xffff16bits, as: .hex)
    let maxSubLayersMinus1 = vpsMaxSubLayersMinus1
    try v.group("profile_tier_level") { v throws(SyntaxError) in
      try profileTierLevel.syntax(&v, profilePresent: true, maxSubLayersMinus1: maxSubLayersMinus1)
    }
    try v.flag("vps_sub_layer_ordering_info_present_flag", &vpsSubLayerOrderingInfoPresentFlag)
    let count = vpsSubLayerOrderingInfoPresentFlag ? Int(maxSubLayersMinus1) + 1 : 1
    try v.list("sub_layer_ordering_info", &subLayerOrdering, count: count) {
      layer, v throws(SyntaxError) in try layer.syntax(&v, isVideo: true)
    }
    try v.u(6, "vps_max_layer_id", &vpsMaxLayerID)
    let layerSets = try v.ueCount(
      "vps_num_layer_sets_minus1", layerIDIncludedFlags.count, in: 0...1023)
    let layers = Int(vpsMaxLayerID) + 1
    try v.list("layer_sets", &layerIDIncludedFlags, count: layerSets) {
      flags, v throws(SyntaxError) in
      try v.values(1, "layer_id_included_flag", &flags, count: layers)
    }
    try timing.syntax(&v, layerSets: layerSets + 1, maxSubLayersMinus1: maxSubLayersMinus1)
    try extensions(&v)
  }

  private mutating func extensions<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("vps_extension_flag", &vpsExtensionFlag)
    guard vpsExtensionFlag else { return }
    if v.bitsUntilAligned > 0 {
      try v.u(
        v.bitsUntilAligned, "vps_extension_alignment_bit_equal_to_one", &vpsExtensionAlignmentBits)
    }
    let base = VideoParameterSetExtension.Base(
      maxLayersMinus1: Int(min(62, vpsMaxLayersMinus1)),
      isBaseLayerInternal: vpsBaseLayerInternalFlag,
      maxSubLayersMinus1: vpsMaxSubLayersMinus1,
      layerSets: [[0]]
        + layerIDIncludedFlags.map { flags in flags.indices.filter { flags[$0] } })
    try v.group("vps_extension") { v throws(SyntaxError) in try vpsExtension.syntax(&v, base) }
    // The video usability information that may follow is kept as flags, like the remaining bits.
    if vpsExtension.vpsVUIPresentFlag {
      return try v.extensionData("vps_vui_data_flag", &extensionData)
    }
    try v.flag("vps_extension2_flag", &vpsExtension2Flag)
    if vpsExtension2Flag { try v.extensionData("vps_extension_data_flag", &extensionData) }
  }
}
