// SPDX-License-Identifier: MIT

public import ApusBytes

/// The layers that are output together: ITU-T H.265, F.7.3.2.1.1.
public struct OutputLayerSets: Blank, Hashable, Sendable {
  public var numAddOLSs: UInt16 = 0
  public var defaultOutputLayerIDC: UInt8 = 0
  /// All output layer sets except the first.
  public var sets: [OutputLayerSet] = []

  public init() {}

  /// An output layer set: a layer set, and those of its layers that are output.
  public struct OutputLayerSet: Blank, Hashable, Sendable {
    public var layerSetIdxForOLSMinus1: UInt16 = 0
    public var outputLayerFlags: [Bool] = []
    /// The `profile_tier_level_idx` of each layer that the set needs.
    public var profileTierLevelIdx: [UInt8] = []
    public var altOutputLayerFlag = false
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, layerSets: [[Int]], ownLayerSets: Int, _ graph: LayerGraph, profileCount: Int
  ) throws(SyntaxError) {
    if layerSets.count > 1 {
      try v.ue("num_add_olss", &numAddOLSs, in: 0...1023)
      try v.u(2, "default_output_layer_idc", &defaultOutputLayerIDC)
    }
    let idc = defaultOutputLayerIDC
    let count = Int(numAddOLSs) + layerSets.count - 1
    try v.indexed("output_layer_sets", &sets, count: count) { index, set, v throws(SyntaxError) in
      let number = index + 1
      if layerSets.count > 2, number >= layerSets.count {
        let bits = bitsToTellApart(layerSets.count - 1)
        try v.u(bits, "layer_set_idx_for_ols_minus1", &set.layerSetIdxForOLSMinus1)
      }
      let layerSet = Self.layerSet(of: set, number: number, count: layerSets.count)
      guard layerSets.indices.contains(layerSet) else {
        throw v.failure(
          .invalid, "layer_set_idx_for_ols_minus1",
          "is \(set.layerSetIdxForOLSMinus1), there are \(layerSets.count) layer sets")
      }
      let layers = layerSets[layerSet].compactMap { graph.ids.firstIndex(of: $0) }
      if number >= ownLayerSets || idc == 2 {
        try v.values(1, "output_layer_flag", &set.outputLayerFlags, count: layers.count)
      }
      let isOutput =
        set.outputLayerFlags.isEmpty
        ? layers.map { idc == 0 || $0 == layers.last } : set.outputLayerFlags
      let outputs = zip(layers, isOutput).filter(\.1).map(\.0)
      if profileCount > 1 {
        let needed = outputs.reduce(into: Set(outputs)) {
          $0.formUnion(graph.allReferences(of: $1))
        }
        try v.values(
          bitsToTellApart(profileCount), "profile_tier_level_idx", &set.profileTierLevelIdx,
          count: layers.count(where: needed.contains))
      }
      if outputs.count == 1, !graph.directReferences(of: outputs[0]).isEmpty {
        try v.flag("alt_output_layer_flag", &set.altOutputLayerFlag)
      }
    }
  }

  /// `OlsIdxToLsIdx`.
  private static func layerSet(of set: OutputLayerSet, number: Int, count: Int) -> Int {
    number < count ? number : Int(set.layerSetIdxForOLSMinus1) + 1
  }

  /// Returns `OlsIdxToLsIdx` of every output layer set, including the first.
  func layerSetIndices(count: Int, ownLayerSets: Int) -> [Int] {
    [0] + sets.enumerated().map { Self.layerSet(of: $1, number: $0 + 1, count: count) }
  }
}
