// SPDX-License-Identifier: MIT

public import ApusBytes

/// The attributes by which alternative tracks differ (`tsel`): ISO/IEC 14496-12, 8.10.3.
public struct TrackSelectionBox: FullBox {
  public static let types: [FourCC] = ["tsel"]
  public var header = FullBoxHeader()
  public var switchGroup: Int32 = 0
  public var attributes: [FourCC] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(32, "switch_group", &switchGroup)
    try v.values(32, "attribute_list", &attributes, count: nil)
  }
}

/// The role of a track (`kind`): ISO/IEC 14496-12, 8.10.4.
public struct TrackKind: FullBox {
  public static let types: [FourCC] = ["kind"]
  public var header = FullBoxHeader()
  public var schemeURI: Text = ""
  public var value: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("schemeURI", &schemeURI)
    try v.text("value", &value)
  }
}

/// Sub track information (`stri`): ISO/IEC 14496-12, 8.14.4.
public struct SubTrackInformation: FullBox {
  public static let types: [FourCC] = ["stri"]
  public var header = FullBoxHeader()
  public var switchGroup: Int16 = 0
  public var alternateGroup: Int16 = 0
  public var subTrackID: UInt32 = 0
  public var attributes: [FourCC] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(16, "switch_group", &switchGroup)
    try v.i(16, "alternate_group", &alternateGroup)
    try v.u(32, "sub_track_ID", &subTrackID)
    try v.values(32, "attribute_list", &attributes, count: nil)
  }
}

/// Chapters (`chpl`), as written by Nero Digital.
public struct ChapterList: FullBox {
  public static let types: [FourCC] = ["chpl"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var reserved: UInt32 = 0
  public var chapters: [Chapter] = []

  /// A chapter, which lasts until the next one begins.
  public struct Chapter: SyntaxStructure, Hashable {
    /// The time at which the chapter begins, in units of 100 ns.
    public var startTime: UInt64 = 0
    public var title: [UInt8] = []
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(64, "start_time", &startTime)
      let length = try v.count(8, "title_length", title.count)
      try v.bytes("title", &title, count: length, .text)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if version == 1 { try v.u(32, "reserved", &reserved) }
    let count = try v.count(8, "chapter_count", chapters.count)
    try v.list("chapters", &chapters, count: count)
  }
}
