// SPDX-License-Identifier: MIT

public import Bytes

/// File and segment type (`ftyp`, `styp`): ISO/IEC 14496-12, 4.3 and 8.16.2.
public struct FileType: Box {
  public static let types: [FourCC] = ["ftyp", "styp"]
  public var majorBrand: FourCC = "mp42"
  public var minorVersion: UInt32 = 0
  public var compatibleBrands: [FourCC] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "major_brand", &majorBrand)
    try v.u(32, "minor_version", &minorVersion)
    try v.values(32, "compatible_brands", &compatibleBrands, count: nil)
  }
}
