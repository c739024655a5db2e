// SPDX-License-Identifier: MIT

public import ApusBytes

/// File and segment type (`ftyp`, `styp`): ISO/IEC 14496-12, 4.3 and 8.16.2.
public struct FileType: Box {
  public static let types: [FourCC] = ["ftyp", "styp"]
  public var majorBrand: FourCC = "mp42"
  public var minorVersion: UInt32 = 0
  public var compatibleBrands: [FourCC] = []

  /// Brands of files of still pictures: ISO/IEC 23008-12, 10.2 and annexes B to M; ISO/IEC 23000-22, 10.
  package static let itemBrands: Set<FourCC> = [
    "mif1", "mif2", "mif3", "miaf", "heic", "heix", "heim", "heis", "avif", "avio", "avci", "jpeg",
    "vvic", "evbi", "evmi", "j2ki", "unif", "1pic",
  ]
  /// Brands of files of picture sequences, from the same clauses.
  package static let sequenceBrands: Set<FourCC> = [
    "msf1", "hevc", "hevx", "hevm", "hevs", "avis", "avcs", "jpgs", "vvis", "evbs", "evms", "j2is",
  ]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "major_brand", &majorBrand)
    try v.u(32, "minor_version", &minorVersion)
    try v.values(32, "compatible_brands", &compatibleBrands, count: nil)
  }
}
