// SPDX-License-Identifier: MIT

public import ApusBytes

/// Depth look-up tables (`pps_3d_extension()`): ITU-T H.265, I.7.3.2.3.7.
public struct Picture3DExtension: SyntaxStructure, Hashable {
  public var dltsPresentFlag = false
  public var ppsDepthLayersMinus1: UInt8 = 0
  public var ppsBitDepthForDepthLayersMinus8: UInt8 = 0
  public var tables: [DepthTable] = []

  public init() {}

  /// The look-up table of a depth layer.
  public struct DepthTable: Blank, Hashable, Sendable {
    public var dltFlag = false
    public var dltPredFlag = false
    public var dltValFlagsPresentFlag = false
    /// The flags for each depth value.
    public var dltValueFlags: [Bool] = []
    public var delta = DeltaDepthTable()
    public init() {}

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
      try v.flag("dlt_flag", &dltFlag)
      guard dltFlag else { return }
      try v.flag("dlt_pred_flag", &dltPredFlag)
      if !dltPredFlag { try v.flag("dlt_val_flags_present_flag", &dltValFlagsPresentFlag) }
      if dltValFlagsPresentFlag {
        try v.values(1, "dlt_value_flag", &dltValueFlags, count: 1 << depth)
      } else {
        try v.group("delta_dlt") { v throws(SyntaxError) in try delta.syntax(&v, depth: depth) }
      }
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("dlts_present_flag", &dltsPresentFlag)
    guard dltsPresentFlag else { return }
    try v.u(6, "pps_depth_layers_minus1", &ppsDepthLayersMinus1)
    try v.u(4, "pps_bit_depth_for_depth_layers_minus8", &ppsBitDepthForDepthLayersMinus8)
    guard ppsBitDepthForDepthLayersMinus8 <= 8 else {
      throw v.failure(
        .invalid, "pps_bit_depth_for_depth_layers_minus8",
        "is \(ppsBitDepthForDepthLayersMinus8), allowed are 0 to 8")
    }
    let depth = Int(ppsBitDepthForDepthLayersMinus8) + 8
    try v.list("dlt", &tables, count: Int(ppsDepthLayersMinus1) + 1) {
      table, v throws(SyntaxError) in try table.syntax(&v, depth: depth)
    }
  }
}

/// `delta_dlt()`: ITU-T H.265, I.7.3.2.3.8.
public struct DeltaDepthTable: Blank, Hashable, Sendable {
  public var numValDeltaDLT: UInt32 = 0
  public var maxDiff: UInt32 = 0
  public var minDiffMinus1: UInt32 = 0
  public var deltaDLTVal0: UInt32 = 0
  public var deltaValDiffMinusMin: [UInt32] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    try v.u(depth, "num_val_delta_dlt", &numValDeltaDLT)
    guard numValDeltaDLT > 0 else { return }
    if numValDeltaDLT > 1 { try v.u(depth, "max_diff", &maxDiff) }
    // If it is absent, it is inferred to be max_diff - 1.
    var minDiff = Int(maxDiff)
    if numValDeltaDLT > 2, maxDiff > 0 {
      try v.u(bitsToTellApart(Int(maxDiff) + 1), "min_diff_minus1", &minDiffMinus1)
      minDiff = Int(minDiffMinus1) + 1
    }
    try v.u(depth, "delta_dlt_val0", &deltaDLTVal0)
    guard Int(maxDiff) > minDiff else { return }
    let bits = bitsToTellApart(Int(maxDiff) - minDiff + 1)
    try v.values(
      bits, "delta_val_diff_minus_min", &deltaValDiffMinusMin, count: Int(numValDeltaDLT) - 1)
  }
}
