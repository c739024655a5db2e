// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC

/// HEVC decoder configuration (`hvcC`, and `hvcE` for the enhancement layer of Dolby Vision): ISO/IEC
/// 14496-15, 8.4.1.
public struct HEVCConfiguration: Box {
  public static let types: [FourCC] = ["hvcC", "hvcE"]
  public var record = DecoderConfigurationRecord()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try record.syntax(&v)
  }
}

/// Layered HEVC decoder configuration (`lhvC`): ISO/IEC 14496-15, 9.6.2.
public struct LayeredHEVCConfiguration: Box {
  public static let types: [FourCC] = ["lhvC"]
  public var record = LayeredDecoderConfigurationRecord()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try record.syntax(&v)
  }
}
