// SPDX-License-Identifier: MIT

public import ApusBytes

/// Fonts of timed text (`ftab`): 3GPP TS 26.245, 5.16.
public struct FontTable: Box {
  public static let types: [FourCC] = ["ftab"]
  public var fonts: [Font] = []

  /// A font with the ID by which styles refer to it.
  public struct Font: SyntaxStructure {
    public var id: UInt16 = 0
    public var name: [UInt8] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "font-ID", &id)
      let length = try v.count(8, "font-name-length", name.count)
      try v.bytes("font", &name, count: length, .text)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(16, "entry-count", fonts.count)
    try v.list("font-entry", &fonts, count: count)
  }
}

/// The text before the first cue (`vttC`): ISO/IEC 14496-30, 7.5.
public struct WebVTTConfiguration: Box {
  public static let types: [FourCC] = ["vttC"]
  public var config = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("config", &config)
  }
}

/// A URI that names the source of the cues (`vlab`): ISO/IEC 14496-30, 7.5.
public struct WebVTTSourceLabel: Box {
  public static let types: [FourCC] = ["vlab"]
  public var sourceLabel = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("source_label", &sourceLabel)
  }
}

/// The text before that of each sample (`txtC`): ISO/IEC 14496-12, 12.3.3.2.
public struct TextConfiguration: FullBox {
  public static let types: [FourCC] = ["txtC"]
  public var header = FullBoxHeader()
  public var textConfig = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("text_config", &textConfig)
  }
}
