// SPDX-License-Identifier: MIT

public import ApusBytes

/// Weights of the reference pictures (`pred_weight_table()`): ITU-T H.265, 7.3.6.3.
public struct PredictionWeightTable: Blank, Hashable, Sendable {
  public var lumaLog2WeightDenom: UInt8 = 0
  public var deltaChromaLog2WeightDenom: Int8 = 0
  public var l0 = Weights()
  public var l1 = Weights()

  public init() {}

  /// The weights for the pictures of one list.
  public struct Weights: Blank, Hashable, Sendable {
    public var lumaFlags: [Bool] = []
    public var chromaFlags: [Bool] = []
    public var entries: [Entry] = []
    public init() {}
  }

  /// The weights for one picture.
  public struct Entry: Blank, Hashable, Sendable {
    public var deltaLumaWeight: Int16 = 0
    public var lumaOffset: Int32 = 0
    public var chroma: [Chroma] = []
    public init() {}
  }

  /// The weight and offset of a chroma component.
  public struct Chroma: Blank, Hashable, Sendable {
    public var deltaChromaWeight: Int16 = 0
    public var deltaChromaOffset: Int32 = 0
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, counts: (Int, Int), isBipredicted: Bool, hasChroma: Bool
  ) throws(SyntaxError) {
    try v.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, in: 0...7)
    if hasChroma {
      try v.se("delta_chroma_log2_weight_denom", &deltaChromaLog2WeightDenom, in: -7...7)
    }
    try l0.syntax(&v, Names.l0, count: counts.0, hasChroma: hasChroma)
    if isBipredicted { try l1.syntax(&v, Names.l1, count: counts.1, hasChroma: hasChroma) }
  }

  struct Names {
    let list: StaticString
    let lumaFlag: StaticString
    let chromaFlag: StaticString
    let lumaWeight: StaticString
    let lumaOffset: StaticString
    let chromaWeight: StaticString
    let chromaOffset: StaticString

    static let l0 = Names(
      list: "weights_l0", lumaFlag: "luma_weight_l0_flag", chromaFlag: "chroma_weight_l0_flag",
      lumaWeight: "delta_luma_weight_l0", lumaOffset: "luma_offset_l0",
      chromaWeight: "delta_chroma_weight_l0", chromaOffset: "delta_chroma_offset_l0")
    static let l1 = Names(
      list: "weights_l1", lumaFlag: "luma_weight_l1_flag", chromaFlag: "chroma_weight_l1_flag",
      lumaWeight: "delta_luma_weight_l1", lumaOffset: "luma_offset_l1",
      chromaWeight: "delta_chroma_weight_l1", chromaOffset: "delta_chroma_offset_l1")
  }
}

extension PredictionWeightTable.Weights {
  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, _ names: PredictionWeightTable.Names, count: Int, hasChroma: Bool
  ) throws(SyntaxError) {
    try v.values(1, names.lumaFlag, &lumaFlags, count: count)
    try v.values(1, names.chromaFlag, &chromaFlags, count: hasChroma ? count : 0)
    let (luma, chroma) = (lumaFlags, chromaFlags)
    try v.indexed(names.list, &entries, count: count) { index, entry, v throws(SyntaxError) in
      if luma[index] {
        try v.se(names.lumaWeight, &entry.deltaLumaWeight, in: -128...127)
        try v.se(names.lumaOffset, &entry.lumaOffset)
      }
      guard hasChroma, chroma[index] else { return }
      try v.list("chroma", &entry.chroma, count: 2) { component, v throws(SyntaxError) in
        try v.se(names.chromaWeight, &component.deltaChromaWeight, in: -128...127)
        try v.se(names.chromaOffset, &component.deltaChromaOffset)
      }
    }
  }
}
