// SPDX-License-Identifier: MIT

public import ApusBytes

/// The purpose of an auxiliary image (`auxC`): ISO/IEC 23008-12, 6.5.8.
public struct AuxiliaryType: FullBox {
  public static let types: [FourCC] = ["auxC"]
  public var header = FullBoxHeader()
  /// The purpose as a URN, such as `urn:mpeg:hevc:2015:auxid:1` for alpha.
  public var auxType = Text()
  public var auxSubtype: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("aux_type", &auxType)
    if v.moreData(!auxSubtype.isEmpty) { try v.bytes("aux_subtype", &auxSubtype, count: nil) }
  }
}
