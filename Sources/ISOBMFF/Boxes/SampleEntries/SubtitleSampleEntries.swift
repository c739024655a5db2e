// SPDX-License-Identifier: MIT

public import ApusBytes

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
