// SPDX-License-Identifier: MIT

public import ApusBytes

/// QuickTime text sample description (`text`): QuickTime File Format, Text Media.
public struct QuickTimeTextSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["text"]
  public var start = SampleEntryStart()
  public var fields = Fields.quickTime(QuickTimeText())
  public var boxes: [Node] = []

  /// The fields between the start of the entry and its boxes, in one of two forms.
  public enum Fields: Sendable {
    case quickTime(QuickTimeText)
    /// The fields of a `tx3g`, which FFmpeg writes to describe chapters.
    case timedText(TimedText)
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    if v.isReading, try v.peek(38).dropFirst(34).elementsEqual("ftab".utf8) {
      fields = .timedText(TimedText())
    }
    switch fields {
    case .quickTime(var text):
      try text.syntax(&v)
      fields = .quickTime(text)
    case .timedText(var text):
      try text.syntax(&v)
      fields = .timedText(text)
    }
    try v.framed(&boxes, count: nil)
  }
}

/// The style of QuickTime text: QuickTime File Format, Text Media.
public struct QuickTimeText: SyntaxStructure {
  public var displayFlags: UInt32 = 0
  public var textJustification: Int32 = 0
  /// The background colour: red, green, blue.
  public var backgroundColor: [UInt16] = [0, 0, 0]
  /// The text box: top, left, bottom, right.
  public var defaultTextBox: [UInt16] = [0, 0, 0, 0]
  public var reserved1: UInt64 = 0
  public var fontNumber: UInt16 = 0
  public var fontFace: UInt16 = 0
  public var reserved2: UInt32 = 0
  public var foregroundColor: [UInt16] = [0, 0, 0]
  /// A counted string, which some writers omit.
  public var textName: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "display_flags", &displayFlags, as: .hex)
    try v.i(32, "text_justification", &textJustification)
    try v.values(16, "background_color", &backgroundColor, count: 3)
    try v.values(16, "default_text_box", &defaultTextBox, count: 4)
    try v.u(64, "reserved", &reserved1)
    try v.u(16, "font_number", &fontNumber)
    try v.u(16, "font_face", &fontFace)
    try v.u(24, "reserved", &reserved2)
    try v.values(16, "foreground_color", &foregroundColor, count: 3)
    var count = textName.count
    if v.isReading {
      let next = try v.peek(8)
      count =
        BoxHeader.stands(in: next, left: v.remaining) ? 0 : next.first.map { 1 + Int($0) } ?? 0
    }
    if count > 0 { try v.bytes("text_name", &textName, count: count, .countedText) }
  }
}

/// Timed text (`tx3g`): 3GPP TS 26.245, 5.16.
public struct TimedTextSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["tx3g"]
  public var start = SampleEntryStart()
  public var text = TimedText()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try text.syntax(&v)
    try v.framed(&boxes, count: nil)
  }
}

/// The default style of timed text, which samples can override: 3GPP TS 26.245, 5.16.
public struct TimedText: SyntaxStructure {
  public var displayFlags: UInt32 = 0
  public var horizontalJustification: Int8 = 0
  public var verticalJustification: Int8 = 0
  public var backgroundColor: UInt32 = 0
  /// The text box: top, left, bottom, right, as two's complement.
  public var defaultTextBox: [UInt16] = [0, 0, 0, 0]
  public var startChar: UInt16 = 0
  public var endChar: UInt16 = 0
  public var fontID: UInt16 = 1
  public var faceStyleFlags: UInt8 = 0
  public var fontSize: UInt8 = 18
  public var textColor: UInt32 = 0xffff_ffff

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
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
  }
}
