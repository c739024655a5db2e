// SPDX-License-Identifier: MIT

public import ApusBytes

/// Quantizer offsets of a slice: ITU-T H.265, 7.3.6.1.
public struct SliceQuantization: Blank, Hashable, Sendable {
  public var sliceQPDelta: Int8 = 0
  public var sliceCBQPOffset: Int8 = 0
  public var sliceCRQPOffset: Int8 = 0
  public var sliceACTYQPOffset: Int8 = 0
  public var sliceACTCBQPOffset: Int8 = 0
  public var sliceACTCRQPOffset: Int8 = 0
  public var cuChromaQPOffsetEnabledFlag = false

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ context: SliceContext)
    throws(SyntaxError)
  {
    let pps = context.pps
    try v.se("slice_qp_delta", &sliceQPDelta)
    if pps.ppsSliceChromaQPOffsetsPresentFlag {
      try v.se("slice_cb_qp_offset", &sliceCBQPOffset, in: -12...12)
      try v.se("slice_cr_qp_offset", &sliceCRQPOffset, in: -12...12)
    }
    if pps.extensions.screenContent.ppsSliceACTQPOffsetsPresentFlag {
      try v.se("slice_act_y_qp_offset", &sliceACTYQPOffset)
      try v.se("slice_act_cb_qp_offset", &sliceACTCBQPOffset)
      try v.se("slice_act_cr_qp_offset", &sliceACTCRQPOffset)
    }
    if pps.extensions.range.chromaQPOffsetListEnabledFlag {
      try v.flag("cu_chroma_qp_offset_enabled_flag", &cuChromaQPOffsetEnabledFlag)
    }
  }
}

/// The deblocking filter of a slice: ITU-T H.265, 7.3.6.1.
public struct SliceDeblocking: Blank, Hashable, Sendable {
  public var deblockingFilterOverrideFlag = false
  public var sliceDeblockingFilterDisabledFlag = false
  public var sliceBetaOffsetDiv2: Int8 = 0
  public var sliceTCOffsetDiv2: Int8 = 0

  public init() {}

  /// Returns whether the filter is off; without an override, the picture parameter set decides.
  public func isDisabled(by pps: PictureParameterSet) -> Bool {
    deblockingFilterOverrideFlag
      ? sliceDeblockingFilterDisabledFlag : pps.deblocking.ppsDeblockingFilterDisabledFlag
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ pps: PictureParameterSet)
    throws(SyntaxError)
  {
    if pps.deblocking.deblockingFilterOverrideEnabledFlag {
      try v.flag("deblocking_filter_override_flag", &deblockingFilterOverrideFlag)
    }
    guard deblockingFilterOverrideFlag else { return }
    try v.flag("slice_deblocking_filter_disabled_flag", &sliceDeblockingFilterDisabledFlag)
    guard !sliceDeblockingFilterDisabledFlag else { return }
    try v.se("slice_beta_offset_div2", &sliceBetaOffsetDiv2, in: -6...6)
    try v.se("slice_tc_offset_div2", &sliceTCOffsetDiv2, in: -6...6)
  }
}

/// The entry points of the parts of a slice segment that can be decoded in parallel: ITU-T H.265, 7.3.6.1.
public struct EntryPoints: Blank, Hashable, Sendable {
  public var offsetLenMinus1: UInt8 = 0
  public var entryPointOffsetMinus1: [UInt32] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ context: SliceContext)
    throws(SyntaxError)
  {
    let tiles = context.pps.tiles
    let columns = context.pps.tilesEnabledFlag ? Int(tiles.numTileColumnsMinus1) + 1 : 1
    let rows = context.pps.tilesEnabledFlag ? Int(tiles.numTileRowsMinus1) + 1 : 1
    let most =
      context.pps.entropyCodingSyncEnabledFlag ? columns * context.heightInCtbs : columns * rows
    let count = try v.ueCount(
      "num_entry_point_offsets", entryPointOffsetMinus1.count,
      in: 0...UInt32(clamping: max(0, most - 1)))
    guard count > 0 else { return }
    try v.ue("offset_len_minus1", &offsetLenMinus1, in: 0...31)
    try v.values(
      Int(offsetLenMinus1) + 1, "entry_point_offset_minus1", &entryPointOffsetMinus1, count: count)
  }
}
