// SPDX-License-Identifier: MIT

public import Bytes

/// XML metadata (`xml `): ISO/IEC 14496-12, 8.11.2.
public struct XMLMetadata: FullBox {
  public static let types: [FourCC] = ["xml "]
  public var header = FullBoxHeader()
  public var xml = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("xml", &xml)
  }
}

/// Binary XML metadata (`bxml`): ISO/IEC 14496-12, 8.11.2.
public struct BinaryXMLMetadata: FullBox {
  public static let types: [FourCC] = ["bxml"]
  public var header = FullBoxHeader()
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}

/// How two `meta` boxes relate (`mere`): ISO/IEC 14496-12, 8.11.8.
public struct MetadataRelation: FullBox {
  public static let types: [FourCC] = ["mere"]
  public var header = FullBoxHeader()
  public var firstHandlerType = FourCC(0)
  public var secondHandlerType = FourCC(0)
  public var relation: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "first_metabox_handler_type", &firstHandlerType)
    try v.u(32, "second_metabox_handler_type", &secondHandlerType)
    try v.u(8, "metabox_relation", &relation)
  }
}
