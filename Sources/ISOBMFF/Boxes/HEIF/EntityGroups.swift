// SPDX-License-Identifier: MIT

public import ApusBytes

/// Entity groups (`grpl`): ISO/IEC 14496-12, 8.18.2. Each child is a group, whose kind is the type of the child.
public struct EntityGroups: ParentBox {
  public static let types: [FourCC] = ["grpl"]
  public var boxes: [Node] = []

  public init() {}

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .box(type == "pymd" ? ImagePyramid.self : EntityGroup.self)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// Entities (items or tracks) that belong together (`altr`, `ster`, `brst` and others):
/// ISO/IEC 14496-12, 8.18.3.
public struct EntityGroup: FullBox {
  public static let types: [FourCC] = []
  public static let versions: ClosedRange<UInt8> = 0...255
  public var header = FullBoxHeader()
  public var groupID: UInt32 = 0
  public var entityIDs: [UInt32] = []
  /// The data that the group's type adds.
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "group_id", &groupID)
    let count = try v.count(32, "num_entities_in_group", entityIDs.count)
    try v.values(32, "entity_id", &entityIDs, count: count)
    if v.moreData(!data.isEmpty) { try v.extent("data", &data, count: nil) }
  }
}

/// One picture at several resolutions (`pymd`): ISO/IEC 23008-12, 6.8.11.
public struct ImagePyramid: FullBox {
  public static let types: [FourCC] = []
  public var header = FullBoxHeader()
  public var groupID: UInt32 = 0
  public var entityIDs: [UInt32] = []
  public var tileSizeX: UInt16 = 0
  public var tileSizeY: UInt16 = 0
  /// The layers, one for each entity.
  public var layers: [Layer] = []

  /// The resolution and the tiles of a layer.
  public struct Layer: Blank, Sendable {
    public var binning: UInt16 = 0
    public var rowTilesMinus1: UInt16 = 0
    public var columnTilesMinus1: UInt16 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "group_id", &groupID)
    let count = try v.count(32, "num_entities_in_group", entityIDs.count)
    try v.values(32, "entity_id", &entityIDs, count: count)
    try v.u(16, "tile_size_x", &tileSizeX)
    try v.u(16, "tile_size_y", &tileSizeY)
    try v.list("layers", &layers, count: count) { layer, v throws(SyntaxError) in
      try v.u(16, "layer_binning", &layer.binning)
      try v.u(16, "tiles_in_layer_row_minus1", &layer.rowTilesMinus1)
      try v.u(16, "tiles_in_layer_column_minus1", &layer.columnTilesMinus1)
    }
  }
}
