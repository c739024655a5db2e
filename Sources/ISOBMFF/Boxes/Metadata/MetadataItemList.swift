// SPDX-License-Identifier: MIT

public import ApusBytes

/// Metadata items (`ilst`): QuickTime File Format. The type of each child is a name, or the number of its key.
public struct MetadataItemList: ParentBox {
  public static let types: [FourCC] = ["ilst"]
  public var boxes: [Node] = []

  public init() {}

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    switch type {
    case "free", "skip": .registered
    default: .box(MetadataItem.self)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// A metadata item in `ilst`: its values, and its name where its type is `----`.
public struct MetadataItem: ParentBox {
  public static let types: [FourCC] = ["----"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// The namespace of an item (`mean`), or its name (`name`): the two strings of a `----` item.
public struct MetadataItemName: FullBox {
  public static let types: [FourCC] = ["mean", "name"]
  public var header = FullBoxHeader()
  public var name: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("name", &name, count: nil, .text)
  }
}

/// Number of a metadata item (`itif`): QuickTime File Format.
public struct MetadataItemInformation: FullBox {
  public static let types: [FourCC] = ["itif"]
  public var header = FullBoxHeader()
  public var itemID: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "Item_ID", &itemID)
  }
}
