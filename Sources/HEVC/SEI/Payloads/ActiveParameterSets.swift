// SPDX-License-Identifier: MIT

public import ApusBytes

/// Active parameter sets (`active_parameter_sets()`): ITU-T H.265, D.2.21.
public struct ActiveParameterSets: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 129

  public var activeVideoParameterSetID: UInt8 = 0
  public var selfContainedCVSFlag = false
  public var noParameterSetUpdateFlag = false
  public var activeSeqParameterSetIDs: [UInt8] = []
  public var layerSPSIdx: [UInt8] = []

  /// The number of layers that state their sequence parameter set, keyed by video parameter set.
  private var layerCounts: [UInt8: Int] = [:]

  public init() {}
  public init(in context: SEIContext) {
    layerCounts = context.sets.videos.mapValues {
      Int(min(62, $0.vpsMaxLayersMinus1)) + ($0.vpsBaseLayerInternalFlag ? 0 : 1)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "active_video_parameter_set_id", &activeVideoParameterSetID)
    try v.flag("self_contained_cvs_flag", &selfContainedCVSFlag)
    try v.flag("no_parameter_set_update_flag", &noParameterSetUpdateFlag)
    let count = try v.ueCount(
      "num_sps_ids_minus1", activeSeqParameterSetIDs.count, minus: 1, in: 0...15)
    try v.ueValues(
      "active_seq_parameter_set_id", &activeSeqParameterSetIDs, count: count, in: 0...15)
    try v.ueValues(
      "layer_sps_idx", &layerSPSIdx, count: layerCounts[activeVideoParameterSetID] ?? 0,
      in: 0...15)
  }
}

/// Recovery point (`recovery_point()`): ITU-T H.265, D.2.8.
public struct RecoveryPoint: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 6

  public var recoveryPOCCnt: Int32 = 0
  public var exactMatchFlag = false
  public var brokenLinkFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.se("recovery_poc_cnt", &recoveryPOCCnt, in: -32768...32767)
    try v.flag("exact_match_flag", &exactMatchFlag)
    try v.flag("broken_link_flag", &brokenLinkFlag)
  }
}
