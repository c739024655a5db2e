// SPDX-License-Identifier: MIT

public import ApusBytes

/// XML metadata (`metx`): ISO/IEC 14496-12, 12.3.3.
public struct XMLMetadataSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["metx"]
  public var start = SampleEntryStart()
  public var contentEncoding = Text()
  public var namespace = Text()
  public var schemaLocation = Text()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.text("content_encoding", &contentEncoding)
    try v.text("namespace", &namespace)
    try v.text("schema_location", &schemaLocation)
    try v.framed(&boxes, count: nil)
  }
}

/// The kind of metadata in a `urim` entry (`uri `): ISO/IEC 14496-12, 12.3.3.
public struct UniformResourceIdentifier: FullBox {
  public static let types: [FourCC] = ["uri "]
  public var header = FullBoxHeader()
  public var theURI = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("theURI", &theURI)
  }
}

/// Data for the readers of that metadata (`uriI`): ISO/IEC 14496-12, 12.3.3.
public struct UniformResourceIdentifierInit: FullBox {
  public static let types: [FourCC] = ["uriI"]
  public var header = FullBoxHeader()
  public var initializationData = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("uri_initialization_data", &initializationData, count: nil)
  }
}

/// Boxed metadata (`mebx`): ISO/IEC 14496-12, 12.9.3.
public struct BoxedMetadataSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["mebx"]
  public var start = SampleEntryStart()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.framed(&boxes, count: nil)
  }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    type == "keys" ? .box(MetadataKeyTable.self) : .registered
  }
}

/// The keys of boxed metadata (`keys` in `mebx`): ISO/IEC 14496-12, 12.9.4. The type of each child is the number of the
/// key in the samples.
public struct MetadataKeyTable: ParentBox {
  public static let types: [FourCC] = ["keys"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .box(MetadataKey.self)
  }
}

/// One key of boxed metadata: ISO/IEC 14496-12, 12.9.4.
public struct MetadataKey: ParentBox {
  public static let types: [FourCC] = []
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// The name of a key (`keyd`): ISO/IEC 14496-12, 12.9.4.
public struct MetadataKeyDeclaration: Box {
  public static let types: [FourCC] = ["keyd"]
  public var namespace: FourCC = "mdta"
  public var value: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "key_namespace", &namespace)
    try v.bytes("key_value", &value, count: nil, .text)
  }
}

/// The type of a key's values (`dtyp`): ISO/IEC 14496-12, 12.9.4.
public struct MetadataDatatype: Box {
  public static let types: [FourCC] = ["dtyp"]
  /// The namespace of the type: 0 for QuickTime's well-known types, 1 for a reverse domain name.
  public var namespace: UInt32 = 0
  public var datatype: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "datatype_namespace", &namespace)
    try v.bytes("datatype", &datatype, count: nil, namespace == 1 ? .text : .bytes)
  }
}

/// The language of a key's values (`loca`): ISO/IEC 14496-12, 12.9.4.
public struct MetadataLocale: Box {
  public static let types: [FourCC] = ["loca"]
  public var locale = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("locale_string", &locale)
  }
}
