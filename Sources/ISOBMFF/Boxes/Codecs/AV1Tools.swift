// SPDX-License-Identifier: MIT

public import ApusBytes

/// The inter prediction tools that an AV1 stream may use: AV1 Bitstream & Decoding Process Specification, 5.5.1.
public struct AV1Tools: SyntaxStructure, Hashable {
  public var enableInterintraCompound = false
  public var enableMaskedCompound = false
  public var enableWarpedMotion = false
  public var enableDualFilter = false
  public var enableOrderHint = false
  public var enableJntComp = false
  public var enableRefFrameMVs = false
  public var seqChooseScreenContentTools = true
  public var seqForceScreenContentTools = false
  public var seqChooseIntegerMV = true
  public var seqForceIntegerMV = false
  public var orderHintBitsMinus1: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("enable_interintra_compound", &enableInterintraCompound)
    try v.flag("enable_masked_compound", &enableMaskedCompound)
    try v.flag("enable_warped_motion", &enableWarpedMotion)
    try v.flag("enable_dual_filter", &enableDualFilter)
    try v.flag("enable_order_hint", &enableOrderHint)
    if enableOrderHint {
      try v.flag("enable_jnt_comp", &enableJntComp)
      try v.flag("enable_ref_frame_mvs", &enableRefFrameMVs)
    }
    try v.flag("seq_choose_screen_content_tools", &seqChooseScreenContentTools)
    if !seqChooseScreenContentTools {
      try v.flag("seq_force_screen_content_tools", &seqForceScreenContentTools)
    }
    if seqChooseScreenContentTools || seqForceScreenContentTools {
      try v.flag("seq_choose_integer_mv", &seqChooseIntegerMV)
      if !seqChooseIntegerMV { try v.flag("seq_force_integer_mv", &seqForceIntegerMV) }
    }
    if enableOrderHint { try v.u(3, "order_hint_bits_minus_1", &orderHintBitsMinus1) }
  }
}
