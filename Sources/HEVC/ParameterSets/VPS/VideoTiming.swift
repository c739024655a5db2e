// SPDX-License-Identifier: MIT

public import ApusBytes

/// The clock and the decoder models of a video parameter set: ITU-T H.265, 7.3.2.1.
public struct VideoTiming: Blank, Hashable, Sendable {
  public var vpsTimingInfoPresentFlag = false
  public var vpsNumUnitsInTick: UInt32 = 0
  public var vpsTimeScale: UInt32 = 0
  public var vpsPOCProportionalToTimingFlag = false
  public var vpsNumTicksPOCDiffOneMinus1: UInt32 = 0
  public var hrds: [LayerSetHRD] = []

  public init() {}

  /// The decoder model of a layer set.
  public struct LayerSetHRD: Blank, Hashable, Sendable {
    public var hrdLayerSetIdx: UInt16 = 0
    public var cprmsPresentFlag = true
    public var parameters = HRDParameters()
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, layerSets: Int, maxSubLayersMinus1: UInt8)
    throws(SyntaxError)
  {
    try v.flag("vps_timing_info_present_flag", &vpsTimingInfoPresentFlag)
    guard vpsTimingInfoPresentFlag else { return }
    try v.u(32, "vps_num_units_in_tick", &vpsNumUnitsInTick)
    try v.u(32, "vps_time_scale", &vpsTimeScale)
    try v.flag("vps_poc_proportional_to_timing_flag", &vpsPOCProportionalToTimingFlag)
    if vpsPOCProportionalToTimingFlag {
      try v.ue("vps_num_ticks_poc_diff_one_minus1", &vpsNumTicksPOCDiffOneMinus1)
    }
    let count = try v.ueCount(
      "vps_num_hrd_parameters", hrds.count, in: 0...UInt32(clamping: layerSets))
    var common: HRDParameters.Common?
    try v.list("hrd", &hrds, count: count) { hrd, v throws(SyntaxError) in
      try v.ue("hrd_layer_set_idx", &hrd.hrdLayerSetIdx, in: 0...1023)
      if common != nil { try v.flag("cprms_present_flag", &hrd.cprmsPresentFlag) }
      let inherited = hrd.cprmsPresentFlag ? nil : common
      try v.group("hrd_parameters") { v throws(SyntaxError) in
        try hrd.parameters.syntax(
          &v, inherited: inherited, maxSubLayersMinus1: maxSubLayersMinus1)
      }
      common = hrd.parameters.common
    }
  }
}
