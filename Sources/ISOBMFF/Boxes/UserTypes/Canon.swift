// SPDX-License-Identifier: MIT

public import ApusBytes

/// The boxes in which cameras of Canon store their metadata, which Canon does not document. The names are those of
/// ExifTool.
public struct CanonMetadata: ParentBox {
  public static let types: [FourCC] = []
  public static let userTypes = [UserType("85c0b687-820f-11e0-8111-f4ce462b6a48", "Canon metadata")]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// The box in which cameras of Canon store a preview of their raw pictures.
public struct CanonPreview: ParentBox {
  public static let types: [FourCC] = []
  public static let userTypes = [UserType("eaf42b5e-1c98-4b88-b9fb-b7dc406e4d16", "Canon preview")]
  public var unknown: UInt32 = 0
  public var count: UInt32 = 1
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "unknown", &unknown)
    try v.u(32, "count", &count)
    try v.framed(&boxes, count: nil)
  }
}

/// Version of the file by Canon (`CNCV`): CanonHEIF001/10.00.00/00.00.00.
public struct CanonVersion: Box {
  public static let types: [FourCC] = ["CNCV"]
  public var version: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("CompressorVersion", &version, count: nil, .text)
  }
}

/// The parts of a raw picture by Canon (`CCTP`), each of which is described in a `CCDT` box.
public struct CanonParts: ParentBox {
  public static let types: [FourCC] = ["CCTP"]
  public var unknown: UInt64 = 1
  public var count: UInt32 = 0
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "unknown", &unknown)
    try v.u(32, "count", &count)
    try v.framed(&boxes, count: nil)
  }
}

/// Places of other boxes of the file by Canon (`CTBO`).
public struct CanonOffsets: Box {
  public static let types: [FourCC] = ["CTBO"]
  public var entries = Table(columns: [], count: 0, extent: Extent())

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "count", entries.count)
    try v.table(
      "entries", &entries,
      columns: [
        Table.Column("index", 32), Table.Column("offset", 64), Table.Column("size", 64),
      ], count: count)
  }
}

/// Exif by Canon (`CMT1`), its directories for Exif, the maker note and GPS (`CMT2` to `CMT4`): a TIFF stream each.
public struct CanonDirectory: Box {
  public static let types: [FourCC] = ["CMT1", "CMT2", "CMT3", "CMT4"]
  public var tiff = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("TIFF", &tiff, count: nil)
  }
}

/// Thumbnail by Canon (`THMB`), a JPEG.
public struct CanonThumbnail: FullBox {
  public static let types: [FourCC] = ["THMB"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var width: UInt16 = 0
  public var height: UInt16 = 0
  public var unknown: UInt32 = 0
  public var jpeg = Extent()
  public var padding = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "width", &width)
    try v.u(16, "height", &height)
    let size = try v.count(32, "jpeg_size", jpeg.count)
    try v.u(32, "unknown", &unknown)
    try v.extent("jpeg", &jpeg, count: size)
    if v.isReading || !padding.isEmpty { try v.extent("padding", &padding, count: nil) }
  }
}

/// Preview by Canon (`PRVW`), a JPEG.
public struct CanonPreviewPicture: Box {
  public static let types: [FourCC] = ["PRVW"]
  public var unknown: UInt64 = 0
  public var width: UInt16 = 0
  public var height: UInt16 = 0
  public var unknown2: UInt16 = 0
  public var jpeg = Extent()
  public var padding = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(48, "unknown", &unknown)
    try v.u(16, "width", &width)
    try v.u(16, "height", &height)
    try v.u(16, "unknown", &unknown2)
    let size = try v.count(32, "jpeg_size", jpeg.count)
    try v.extent("jpeg", &jpeg, count: size)
    if v.isReading || !padding.isEmpty { try v.extent("padding", &padding, count: nil) }
  }
}
