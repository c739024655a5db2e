// SPDX-License-Identifier: MIT

public import ApusBytes

/// Superbox of JUMBF (`jumb`): ISO/IEC 19566-5, A.2. Its first box describes the others.
public struct UniversalMetadata: ParentBox {
  public static let types: [FourCC] = ["jumb"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }

  /// The label in the description; `nil` if it has none.
  public var label: String? {
    guard let first = boxes.first?.body(as: UniversalMetadataDescription.self), first.hasLabel
    else { return nil }
    return first.label.description
  }

  /// Returns the superboxes inside with their labels.
  public var parts: [(label: String, contents: UniversalMetadata)] {
    boxes.compactMap { node in
      guard let inner = node.body(as: UniversalMetadata.self) else { return nil }
      return inner.label.map { ($0, inner) }
    }
  }
}

/// Description of a superbox (`jumd`): ISO/IEC 19566-5, A.3.
public struct UniversalMetadataDescription: ParentBox {
  public static let types: [FourCC] = ["jumd"]
  /// The type of the content, a UUID.
  public var type = [UInt8](repeating: 0, count: 16)
  /// The bits that say which fields follow: 2 a label, 4 an ID, 8 a digest, 16 a private box. Bit 1: others may refer to
  /// the superbox.
  public var toggles: UInt8 = 3
  public var label = Text()
  public var id: UInt32 = 0
  public var digest = [UInt8](repeating: 0, count: 32)
  public var boxes: [Node] = []

  public init() {}

  public var hasLabel: Bool { toggles & 2 != 0 }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("TYPE", &type, count: 16, .uuid)
    try v.u(8, "TOGGLES", &toggles, as: .hex)
    if hasLabel { try v.text("LABEL", &label) }
    if toggles & 4 != 0 { try v.u(32, "ID", &id) }
    if toggles & 8 != 0 { try v.bytes("SHA256", &digest, count: 32) }
    if toggles & 16 != 0 { try v.framed(&boxes, count: nil) }
  }
}

/// Content in CBOR (`cbor`): ISO/IEC 19566-5, B.
public struct CBORContent: Box {
  public static let types: [FourCC] = ["cbor"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}

/// Content in JSON (`json`): ISO/IEC 19566-5, B.
public struct JSONContent: Box {
  public static let types: [FourCC] = ["json"]
  public var json: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("json", &json, count: nil, .text)
  }
}

/// Description of an embedded file (`bfdb`): ISO/IEC 19566-5, B.
public struct EmbeddedFileDescription: Box {
  public static let types: [FourCC] = ["bfdb"]
  /// The bits: 1 if a name follows, 2 if the file is elsewhere.
  public var toggles: UInt8 = 0
  public var mediaType = Text()
  public var fileName = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "TOGGLES", &toggles, as: .hex)
    try v.text("MEDIA_TYPE", &mediaType)
    if toggles & 1 != 0 { try v.text("FILE_NAME", &fileName) }
  }
}

/// Embedded file (`bidb`): ISO/IEC 19566-5, B.
public struct EmbeddedFileData: Box {
  public static let types: [FourCC] = ["bidb"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}

/// Random bytes in the description of a superbox (`c2sh`): C2PA Technical Specification, "Hashing JUMBF boxes".
public struct ContentSalt: Box {
  public static let types: [FourCC] = ["c2sh"]
  public var salt: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("salt", &salt, count: nil)
  }
}
