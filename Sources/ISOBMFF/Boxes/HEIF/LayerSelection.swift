// SPDX-License-Identifier: MIT

public import ApusBytes

/// Layer selection (`lsel`): ISO/IEC 23008-12, 6.5.11.
public struct LayerSelection: Box {
  public static let types: [FourCC] = ["lsel"]
  public var layerID: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "layer_id", &layerID)
  }
}

/// Target output layer set (`tols`): ISO/IEC 23008-12, 6.5.29.
public struct TargetOutputLayerSet: FullBox {
  public static let types: [FourCC] = ["tols"]
  public var header = FullBoxHeader()
  public var targetOLSIndex: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "target_ols_idx", &targetOLSIndex)
  }
}

/// AV1 operating point selection (`a1op`): AV1 Image File Format, 2.3.2.1.
public struct OperatingPointSelection: Box {
  public static let types: [FourCC] = ["a1op"]
  public var index: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "op_index", &index)
  }
}

/// Sizes of the layers of an AV1 image (`a1lx`): AV1 Image File Format, 2.3.2.3.
public struct LayeredImageIndexing: Box {
  public static let types: [FourCC] = ["a1lx"]
  public var reserved: UInt8 = 0
  public var hasLargeSizes = false
  /// The sizes of the first three layers; the last layer takes the remaining bytes.
  public var layerSizes: [UInt32] = [0, 0, 0]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(7, "reserved", &reserved)
    try v.flag("large_size", &hasLargeSizes)
    try v.values(hasLargeSizes ? 32 : 16, "layer_size", &layerSizes, count: 3)
  }
}
