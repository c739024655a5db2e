// SPDX-License-Identifier: MIT

public import ApusBytes

/// Weights of the reference pictures (`pred_weight_table()`): ITU-T H.264, 7.3.3.2.
public struct AVCPredictionWeights: Blank, Hashable, Sendable {
  public var lumaLog2WeightDenom: UInt8 = 0
  public var chromaLog2WeightDenom: UInt8 = 0
  public var l0: [Entry] = []
  public var l1: [Entry] = []

  public init() {}

  /// The weights for one picture.
  public struct Entry: Blank, Hashable, Sendable {
    public var lumaWeightFlag = false
    public var luma = Component()
    public var chromaWeightFlag = false
    public var chroma: [Component] = []
    public init() {}
  }

  /// The weight and offset of a component.
  public struct Component: Blank, Hashable, Sendable {
    public var weight: Int16 = 0
    public var offset: Int16 = 0
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, counts: (Int, Int), isBipredicted: Bool, hasChroma: Bool
  ) throws(SyntaxError) {
    try v.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, in: 0...7)
    if hasChroma { try v.ue("chroma_log2_weight_denom", &chromaLog2WeightDenom, in: 0...7) }
    try v.weights(Names.l0, &l0, count: counts.0, hasChroma: hasChroma)
    if isBipredicted { try v.weights(Names.l1, &l1, count: counts.1, hasChroma: hasChroma) }
  }

  fileprivate struct Names {
    let list: StaticString
    let lumaFlag: StaticString
    let lumaWeight: StaticString
    let lumaOffset: StaticString
    let chromaFlag: StaticString
    let chromaWeight: StaticString
    let chromaOffset: StaticString

    static let l0 = Names(
      list: "weights_l0", lumaFlag: "luma_weight_l0_flag", lumaWeight: "luma_weight_l0",
      lumaOffset: "luma_offset_l0", chromaFlag: "chroma_weight_l0_flag",
      chromaWeight: "chroma_weight_l0", chromaOffset: "chroma_offset_l0")
    static let l1 = Names(
      list: "weights_l1", lumaFlag: "luma_weight_l1_flag", lumaWeight: "luma_weight_l1",
      lumaOffset: "luma_offset_l1", chromaFlag: "chroma_weight_l1_flag",
      chromaWeight: "chroma_weight_l1", chromaOffset: "chroma_offset_l1")
  }
}

extension SyntaxVisitor {
  fileprivate mutating func weights(
    _ names: AVCPredictionWeights.Names, _ entries: inout [AVCPredictionWeights.Entry], count: Int,
    hasChroma: Bool
  ) throws(SyntaxError) {
    try list(names.list, &entries, count: count) { entry, v throws(SyntaxError) in
      try v.flag(names.lumaFlag, &entry.lumaWeightFlag)
      if entry.lumaWeightFlag {
        try v.se(names.lumaWeight, &entry.luma.weight, in: -128...127)
        try v.se(names.lumaOffset, &entry.luma.offset, in: -128...127)
      }
      guard hasChroma else { return }
      try v.flag(names.chromaFlag, &entry.chromaWeightFlag)
      guard entry.chromaWeightFlag else { return }
      try v.list("chroma", &entry.chroma, count: 2) { component, v throws(SyntaxError) in
        try v.se(names.chromaWeight, &component.weight, in: -128...127)
        try v.se(names.chromaOffset, &component.offset, in: -128...127)
      }
    }
  }
}
