// SPDX-License-Identifier: MIT

public import ApusBytes

/// Video media header (`vmhd`): ISO/IEC 14496-12, 12.1.2.
public struct VideoMediaHeader: FullBox {
  public static let types: [FourCC] = ["vmhd"]
  public var header = FullBoxHeader(flags: 1)
  public var graphicsMode: UInt16 = 0
  public var opcolor: [UInt16] = [0, 0, 0]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "graphicsmode", &graphicsMode)
    try v.values(16, "opcolor", &opcolor, count: 3)
  }
}

/// Sound media header (`smhd`): ISO/IEC 14496-12, 12.2.2.
public struct SoundMediaHeader: FullBox {
  public static let types: [FourCC] = ["smhd"]
  public var header = FullBoxHeader()
  public var balance: Int16 = 0
  public var reserved: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(16, "balance", &balance, as: .signedFixed(8))
    try v.u(16, "reserved", &reserved)
  }
}

/// Hint media header (`hmhd`): ISO/IEC 14496-12, 12.4.3.
public struct HintMediaHeader: FullBox {
  public static let types: [FourCC] = ["hmhd"]
  public var header = FullBoxHeader()
  public var maxPDUSize: UInt16 = 0
  public var avgPDUSize: UInt16 = 0
  public var maxBitrate: UInt32 = 0
  public var avgBitrate: UInt32 = 0
  public var reserved: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "maxPDUsize", &maxPDUSize)
    try v.u(16, "avgPDUsize", &avgPDUSize)
    try v.u(32, "maxbitrate", &maxBitrate)
    try v.u(32, "avgbitrate", &avgBitrate)
    try v.u(32, "reserved", &reserved)
  }
}

/// Media headers without a field: null (`nmhd`) and subtitle (`sthd`): ISO/IEC 14496-12, 8.4.5.2 and
/// 12.6.2.
public struct EmptyMediaHeader: FullBox {
  public static let types: [FourCC] = ["nmhd", "sthd"]
  public var header = FullBoxHeader()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {}
}
