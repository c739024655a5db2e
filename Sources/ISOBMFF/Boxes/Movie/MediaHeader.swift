// SPDX-License-Identifier: MIT

public import ApusBytes

/// Media header (`mdhd`): ISO/IEC 14496-12, 8.4.2.
public struct MediaHeader: FullBox {
  public static let types: [FourCC] = ["mdhd"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var creationTime: UInt64 = 0
  public var modificationTime: UInt64 = 0
  public var timescale: UInt32 = 1000
  /// The duration in media time; all ones if it is unknown.
  public var duration: UInt64 = 0
  public var language = PaddedLanguage()
  /// A reserved field; in QuickTime, the quality.
  public var preDefined: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 1 ? 64 : 32
    try v.u(bits, "creation_time", &creationTime, as: .date)
    try v.u(bits, "modification_time", &modificationTime, as: .date)
    try v.u(32, "timescale", &timescale)
    try v.u(bits, "duration", &duration)
    try language.syntax(&v)
    try v.u(16, "pre_defined", &preDefined)
  }
}

/// A language and the bit before it: ISO/IEC 14496-12, 8.4.2.3. QuickTime's language numbers are below 0x400.
public struct PaddedLanguage: SyntaxStructure, Hashable {
  public var pad = false
  /// The packed code of the language, initially `und`.
  public var code: UInt16 = 0x55c4

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("pad", &pad)
    try v.u(15, "language", &code, as: .language)
  }
}

/// Extended language tag (`elng`): ISO/IEC 14496-12, 8.4.6.
public struct ExtendedLanguage: FullBox {
  public static let types: [FourCC] = ["elng"]
  public var header = FullBoxHeader()
  /// The language tag as BCP 47 defines it, such as `zh-Hans`.
  public var extendedLanguage: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("extended_language", &extendedLanguage)
  }
}
