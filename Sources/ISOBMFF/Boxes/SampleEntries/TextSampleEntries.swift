// SPDX-License-Identifier: MIT

public import Bytes

/// QuickTime text sample description (`text`): QuickTime File Format, Text Media.
public struct QuickTimeTextSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["text"]
  public var start = SampleEntryStart()
  public var displayFlags: UInt32 = 0
  public var textJustification: Int32 = 0
  /// Red, green, blue.
  public var backgroundColor: [UInt16] = [0, 0, 0]
  /// Top, left, bottom, right.
  public var defaultTextBox: [UInt16] = [0, 0, 0, 0]
  public var reserved1: UInt64 = 0
  public var fontNumber: UInt16 = 0
  public var fontFace: UInt16 = 0
  public var reserved2: UInt32 = 0
  public var foregroundColor: [UInt16] = [0, 0, 0]
  /// A counted string, which some writers leave out.
  public var textName: [UInt8] = []
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.u(32, "display_flags", &displayFlags, as: .hex)
    try v.i(32, "text_justification", &textJustification)
    try v.values(16, "background_color", &backgroundColor, count: 3)
    try v.values(16, "default_text_box", &defaultTextBox, count: 4)
    try v.u(64, "reserved", &reserved1)
    try v.u(16, "font_number", &fontNumber)
    try v.u(16, "font_face", &fontFace)
    try v.u(24, "reserved", &reserved2)
    try v.values(16, "foreground_color", &foregroundColor, count: 3)
    let counted = try v.isReading ? v.peek(1).first.map { 1 + Int($0) } ?? 0 : textName.count
    try v.bytes("text_name", &textName, count: counted, .countedText)
    try v.framed(&boxes, count: nil)
  }
}

/// Timed text (`tx3g`): 3GPP TS 26.245, 5.16.
public struct TimedTextSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["tx3g"]
  public var start = SampleEntryStart()
  public var displayFlags: UInt32 = 0
  public var horizontalJustification: Int8 = 0
  public var verticalJustification: Int8 = 0
  public var backgroundColor: UInt32 = 0
  /// Top, left, bottom, right, as two's complement.
  public var defaultTextBox: [UInt16] = [0, 0, 0, 0]
  public var startChar: UInt16 = 0
  public var endChar: UInt16 = 0
  public var fontID: UInt16 = 1
  public var faceStyleFlags: UInt8 = 0
  public var fontSize: UInt8 = 18
  public var textColor: UInt32 = 0xffff_ffff
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.u(32, "displayFlags", &displayFlags, as: .hex)
    try v.i(8, "horizontal-justification", &horizontalJustification)
    try v.i(8, "vertical-justification", &verticalJustification)
    try v.u(32, "background-color-rgba", &backgroundColor, as: .hex)
    try v.values(16, "default-text-box", &defaultTextBox, count: 4)
    try v.u(16, "startChar", &startChar)
    try v.u(16, "endChar", &endChar)
    try v.u(16, "font-ID", &fontID)
    try v.u(8, "face-style-flags", &faceStyleFlags, as: .hex)
    try v.u(8, "font-size", &fontSize)
    try v.u(32, "text-color-rgba", &textColor, as: .hex)
    try v.framed(&boxes, count: nil)
  }
}

/// XML subtitles (`stpp`): ISO/IEC 14496-12, 12.6.3.
public struct XMLSubtitleSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["stpp"]
  public var start = SampleEntryStart()
  public var namespace = Text()
  public var schemaLocation = Text()
  public var auxiliaryMIMETypes = Text()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.text("namespace", &namespace)
    try v.text("schema_location", &schemaLocation)
    try v.text("auxiliary_mime_types", &auxiliaryMIMETypes)
    try v.framed(&boxes, count: nil)
  }
}

/// Text subtitles, text and text metadata (`sbtt`, `stxt`, `mett`): ISO/IEC 14496-12, 12.3.3, 12.5.3
/// and 12.6.3.
public struct SimpleTextSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["sbtt", "stxt", "mett"]
  public var start = SampleEntryStart()
  public var contentEncoding = Text()
  public var mimeFormat = Text()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.text("content_encoding", &contentEncoding)
    try v.text("mime_format", &mimeFormat)
    try v.framed(&boxes, count: nil)
  }
}
