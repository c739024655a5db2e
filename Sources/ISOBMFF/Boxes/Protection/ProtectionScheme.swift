// SPDX-License-Identifier: MIT

public import ApusBytes

/// The unprotected format of samples (`frma`): ISO/IEC 14496-12, 8.12.2.
public struct OriginalFormat: Box {
  public static let types: [FourCC] = ["frma"]
  public var dataFormat = FourCC()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "data_format", &dataFormat)
  }
}

/// The protection or restriction scheme (`schm`): ISO/IEC 14496-12, 8.12.5.
public struct SchemeType: FullBox {
  public static let types: [FourCC] = ["schm"]
  public var header = FullBoxHeader()
  public var schemeType: FourCC = "cenc"
  public var schemeVersion: UInt32 = 0x1_0000
  /// The URI of the scheme, present where bit 0 of `flags` is set.
  public var schemeURI = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "scheme_type", &schemeType)
    try v.u(32, "scheme_version", &schemeVersion, as: .hex)
    if flags & 1 != 0 { try v.text("scheme_uri", &schemeURI) }
  }
}

/// The arrangement of two views in a picture or a file (`stvi`): ISO/IEC 14496-12, 8.15.4.2.
public struct StereoVideo: FullBox, ParentBox {
  public static let types: [FourCC] = ["stvi"]
  public var header = FullBoxHeader()
  public var reserved: UInt32 = 0
  public var singleViewAllowed: UInt8 = 0
  public var stereoScheme: UInt32 = 0
  public var stereoIndicationType: [UInt8] = []
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(30, "reserved", &reserved)
    try v.u(2, "single_view_allowed", &singleViewAllowed)
    try v.u(32, "stereo_scheme", &stereoScheme)
    let length = try v.count(32, "length", stereoIndicationType.count)
    try v.bytes("stereo_indication_type", &stereoIndicationType, count: length)
    try v.framed(&boxes, count: nil)
  }
}
