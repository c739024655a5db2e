// SPDX-License-Identifier: MIT

public import ApusBytes

/// Base media information header (`gmhd`): QuickTime File Format.
public struct BaseMediaInformation: ParentBox {
  public static let types: [FourCC] = ["gmhd"]
  public var boxes: [Node] = []

  public init() {}

  /// Returns the meaning of a child's type. Elsewhere, `text` and `tmcd` are sample entries.
  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    switch type {
    case "text": .box(TextMediaInformation.self)
    case "tmcd": .box(Container.self)
    default: .registered
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// Base media info (`gmin`): QuickTime File Format.
public struct BaseMediaInfo: FullBox {
  public static let types: [FourCC] = ["gmin"]
  public var header = FullBoxHeader()
  public var graphicsMode: UInt16 = 0x40
  public var opcolor: [UInt16] = [0x8000, 0x8000, 0x8000]
  public var balance: Int16 = 0
  public var reserved: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "graphics_mode", &graphicsMode)
    try v.values(16, "opcolor", &opcolor, count: 3)
    try v.i(16, "balance", &balance, as: .signedFixed(8))
    try v.u(16, "reserved", &reserved)
  }
}

/// Text media information (`text` in `gmhd`): QuickTime File Format.
public struct TextMediaInformation: Box {
  public static let types: [FourCC] = []
  public var matrix = TransformationMatrix()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("matrix", &matrix)
  }
}

/// Timecode media information (`tcmi` in `gmhd/tmcd`): QuickTime File Format.
public struct TimecodeMediaInformation: FullBox {
  public static let types: [FourCC] = ["tcmi"]
  public var header = FullBoxHeader()
  public var textFont: UInt16 = 0
  public var textFace: UInt16 = 0
  public var textSize: UInt16 = 12
  /// A field that is in every file, although no description of the format mentions it.
  public var reserved: UInt16 = 0
  public var textColor: [UInt16] = [0, 0, 0]
  public var backgroundColor: [UInt16] = [0xffff, 0xffff, 0xffff]
  public var fontName: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "text_font", &textFont)
    try v.u(16, "text_face", &textFace)
    try v.u(16, "text_size", &textSize)
    try v.u(16, "reserved", &reserved)
    try v.values(16, "text_color", &textColor, count: 3)
    try v.values(16, "background_color", &backgroundColor, count: 3)
    let length = try v.count(8, "font_name_length", fontName.count)
    try v.bytes("font_name", &fontName, count: length, .text)
  }
}
