// SPDX-License-Identifier: MIT

public import ApusBytes

/// `sps_3d_extension()`: ITU-T H.265, I.7.3.2.2.5.
public struct Sequence3DExtension: SyntaxStructure, Hashable {
  public var texture = Texture()
  public var depth = Depth()

  public init() {}

  /// The coding tools for texture layers.
  public struct Texture: SyntaxStructure, Hashable {
    public var ivDIMCEnabledFlag = false
    public var ivMVScalEnabledFlag = false
    public var log2IVMCSubPBSizeMinus3: UInt8 = 0
    public var ivResPredEnabledFlag = false
    public var depthRefEnabledFlag = false
    public var vspMCEnabledFlag = false
    public var dbbpEnabledFlag = false
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("iv_di_mc_enabled_flag", &ivDIMCEnabledFlag)
      try v.flag("iv_mv_scal_enabled_flag", &ivMVScalEnabledFlag)
      try v.ue("log2_ivmc_sub_pb_size_minus3", &log2IVMCSubPBSizeMinus3)
      try v.flag("iv_res_pred_enabled_flag", &ivResPredEnabledFlag)
      try v.flag("depth_ref_enabled_flag", &depthRefEnabledFlag)
      try v.flag("vsp_mc_enabled_flag", &vspMCEnabledFlag)
      try v.flag("dbbp_enabled_flag", &dbbpEnabledFlag)
    }
  }

  /// The coding tools for depth layers.
  public struct Depth: SyntaxStructure, Hashable {
    public var ivDIMCEnabledFlag = false
    public var ivMVScalEnabledFlag = false
    public var texMCEnabledFlag = false
    public var log2TexMCSubPBSizeMinus3: UInt8 = 0
    public var intraContourEnabledFlag = false
    public var intraDCOnlyWedgeEnabledFlag = false
    public var cqtCUPartPredEnabledFlag = false
    public var interDCOnlyEnabledFlag = false
    public var skipIntraEnabledFlag = false
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("iv_di_mc_enabled_flag", &ivDIMCEnabledFlag)
      try v.flag("iv_mv_scal_enabled_flag", &ivMVScalEnabledFlag)
      try v.flag("tex_mc_enabled_flag", &texMCEnabledFlag)
      try v.ue("log2_texmc_sub_pb_size_minus3", &log2TexMCSubPBSizeMinus3)
      try v.flag("intra_contour_enabled_flag", &intraContourEnabledFlag)
      try v.flag("intra_dc_only_wedge_enabled_flag", &intraDCOnlyWedgeEnabledFlag)
      try v.flag("cqt_cu_part_pred_enabled_flag", &cqtCUPartPredEnabledFlag)
      try v.flag("inter_dc_only_enabled_flag", &interDCOnlyEnabledFlag)
      try v.flag("skip_intra_enabled_flag", &skipIntraEnabledFlag)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("texture", &texture)
    try v.group("depth", &depth)
  }
}
