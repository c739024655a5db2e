// SPDX-License-Identifier: MIT

public import ApusBytes

/// The properties by which layers differ: view, depth, spatial quality, auxiliary kind. ITU-T H.265, F.7.3.2.1.1.
public struct LayerDimensions: Blank, Hashable, Sendable {
  public var splittingFlag = false
  /// The mask, whose bit 15 − i is `scalability_mask_flag[i]`.
  public var scalabilityMask: UInt16 = 0
  public var dimensionIDLenMinus1: [UInt8] = []
  public var vpsNUHLayerIDPresentFlag = false
  /// All layers except the first.
  public var layers: [Layer] = []
  public var viewIDLen: UInt8 = 0
  public var viewIDVals: [UInt16] = []

  public init() {}

  /// The `layer_id_in_nuh` and the properties of a layer.
  public struct Layer: Blank, Hashable, Sendable {
    public var layerIDInNUH: UInt8 = 0
    /// The identifier of each scalability type, in the order of the mask.
    public var dimensionIDs: [UInt8] = []
    public init() {}
  }

  /// The kinds of difference in the mask: Table F.1.
  public enum Dimension: Int, CaseIterable, Sendable {
    case depth = 0
    /// Another view of the same scene.
    case multiview = 1
    case spatial = 2
    case auxiliary = 3
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, maxLayersMinus1: Int)
    throws(SyntaxError)
  {
    try v.flag("splitting_flag", &splittingFlag)
    try v.u(16, "scalability_mask_flag", &scalabilityMask, as: .hex)
    let types = scalabilityMask.nonzeroBitCount
    try v.values(
      3, "dimension_id_len_minus1", &dimensionIDLenMinus1,
      count: max(0, types - (splittingFlag ? 1 : 0)))
    try v.flag("vps_nuh_layer_id_present_flag", &vpsNUHLayerIDPresentFlag)
    let lengths = splittingFlag ? [] : dimensionIDLenMinus1
    let hasIDs = vpsNUHLayerIDPresentFlag
    try v.list("layers", &layers, count: maxLayersMinus1) { layer, v throws(SyntaxError) in
      if hasIDs { try v.u(6, "layer_id_in_nuh", &layer.layerIDInNUH) }
      try v.indexed("dimension_id", &layer.dimensionIDs, count: lengths.count) {
        index, value, v throws(SyntaxError) in
        try v.u(Int(lengths[index]) + 1, "dimension_id", &value)
      }
    }
    try v.u(4, "view_id_len", &viewIDLen)
    if viewIDLen > 0 {
      try v.values(Int(viewIDLen), "view_id_val", &viewIDVals, count: viewOrderIndices.count)
    }
  }

  /// Returns the `nuh_layer_id` of each layer, beginning with 0 for the base layer.
  public func layerIDs(maxLayersMinus1: Int) -> [Int] {
    [0] + layers.enumerated().map { vpsNUHLayerIDPresentFlag ? Int($1.layerIDInNUH) : $0 + 1 }
  }

  /// Returns the `ScalabilityId` of a layer, by its index in the video parameter set: (F-3).
  public func identifier(_ dimension: Dimension, ofLayer index: Int) -> Int {
    let bit: UInt16 = 0x8000 >> UInt16(dimension.rawValue)
    guard scalabilityMask & bit != 0, index > 0, layers.indices.contains(index - 1) else {
      return 0
    }
    let position = (scalabilityMask & ~(bit | (bit - 1))).nonzeroBitCount
    let layer = layers[index - 1]
    guard splittingFlag else {
      return layer.dimensionIDs.indices.contains(position) ? Int(layer.dimensionIDs[position]) : 0
    }
    // The layer ID itself is split into the identifiers, the first of which is in its lowest bits.
    let id = vpsNUHLayerIDPresentFlag ? Int(layer.layerIDInNUH) : index
    let offset = dimensionIDLenMinus1.prefix(position).reduce(0) { $0 + Int($1) + 1 }
    let length =
      dimensionIDLenMinus1.indices.contains(position)
      ? Int(dimensionIDLenMinus1[position]) + 1 : max(0, 6 - offset)
    return (id >> offset) & ((1 << length) - 1)
  }

  /// The distinct `ViewOrderIdx` of the layers; their number is `NumViews`.
  public var viewOrderIndices: [Int] {
    Set((0...layers.count).map { identifier(.multiview, ofLayer: $0) }).sorted()
  }
}
