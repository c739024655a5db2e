// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item references (`iref`): ISO/IEC 14496-12, 8.11.12. Each child holds the references of one item, and its type
/// states their meaning.
public struct ItemReferences: FullBox, ParentBox {
  public static let types: [FourCC] = ["iref"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var boxes: [Node] = []

  public init() {}

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .box(parent.version == 0 ? ItemReference.self : LargeItemReference.self)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// The items that one item refers to, in `iref` of version 0, whatever the box's type.
public struct ItemReference: Box {
  public static let types: [FourCC] = []
  public var fromItemID: UInt16 = 0
  public var toItemIDs: [UInt16] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "from_item_ID", &fromItemID)
    let count = try v.count(16, "reference_count", toItemIDs.count)
    try v.values(16, "to_item_ID", &toItemIDs, count: count)
  }
}

/// The items that one item refers to, in `iref` of version 1, whatever the box's type.
public struct LargeItemReference: Box {
  public static let types: [FourCC] = []
  public var fromItemID: UInt32 = 0
  public var toItemIDs: [UInt32] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "from_item_ID", &fromItemID)
    let count = try v.count(16, "reference_count", toItemIDs.count)
    try v.values(32, "to_item_ID", &toItemIDs, count: count)
  }
}
