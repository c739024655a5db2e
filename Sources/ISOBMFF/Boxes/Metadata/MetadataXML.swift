// SPDX-License-Identifier: MIT

public import ApusBytes

/// Metadata as XML (`xml `): ISO/IEC 14496-12, 8.11.2.
public struct MetadataXML: FullBox {
  public static let types: [FourCC] = ["xml "]
  public var header = FullBoxHeader()
  public var xml = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("xml", &xml, count: nil)
  }
}

/// Metadata as binary XML (`bxml`): ISO/IEC 14496-12, 8.11.2.
public struct MetadataBinaryXML: FullBox {
  public static let types: [FourCC] = ["bxml"]
  public var header = FullBoxHeader()
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}

/// Relation of two metadata boxes (`mere`): ISO/IEC 14496-12, 8.11.8.
public struct MetadataRelation: FullBox {
  public static let types: [FourCC] = ["mere"]
  public var header = FullBoxHeader()
  public var firstHandlerType = FourCC()
  public var secondHandlerType = FourCC()
  public var relation: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "first_metabox_handler_type", &firstHandlerType)
    try v.u(32, "second_metabox_handler_type", &secondHandlerType)
    try v.u(8, "metabox_relation", &relation)
  }
}

/// An ID3 tag (`ID32`), as listed by the MP4 registration authority.
public struct ID3Tag: FullBox {
  public static let types: [FourCC] = ["ID32"]
  public var header = FullBoxHeader()
  public var language = PaddedLanguage()
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try language.syntax(&v)
    try v.extent("ID3v2_data", &data, count: nil)
  }
}
