// SPDX-License-Identifier: MIT

public import ApusBytes

/// The compression of an item's data (`cmpC`): ISO/IEC 23001-17:2024/Amd 2.
public struct CompressionConfiguration: FullBox {
  public static let types: [FourCC] = ["cmpC"]
  public var header = FullBoxHeader()
  /// The method of compression: `zlib`, `defl` or `brot`.
  public var compressionType: FourCC = "zlib"
  /// The unit of compression: 0 the item, 1 a component, 2 a tile, 3 a row, 4 a pixel.
  public var unitType: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "compression_type", &compressionType)
    try v.u(8, "compressed_unit_type", &unitType)
  }
}

/// The places of the compressed units of an item (`icef`): ISO/IEC 23001-17:2024/Amd 2.
public struct CompressedUnits: FullBox {
  public static let types: [FourCC] = ["icef"]
  public var header = FullBoxHeader()
  /// The width of an offset: 1 to 4 mean 16, 24, 32 or 64 bits; 0 means that each unit follows the previous one.
  public var offsetCode: UInt8 = 0
  /// The width of a size: 0 to 4 mean 8, 16, 24, 32 or 64 bits.
  public var sizeCode: UInt8 = 0
  public var reserved: UInt8 = 0
  public var units = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "unit_offset_code", &offsetCode)
    try v.u(3, "unit_size_code", &sizeCode)
    try v.u(2, "reserved", &reserved)
    let offsetBits = [0, 16, 24, 32, 64]
    let sizeBits = [8, 16, 24, 32, 64]
    guard offsetBits.indices.contains(Int(offsetCode)) else {
      throw v.failure(.invalid, "unit_offset_code", "is \(offsetCode), allowed are 0 to 4")
    }
    guard sizeBits.indices.contains(Int(sizeCode)) else {
      throw v.failure(.invalid, "unit_size_code", "is \(sizeCode), allowed are 0 to 4")
    }
    var columns = [Table.Column("unit_size", sizeBits[Int(sizeCode)])]
    if offsetCode > 0 { columns.insert(.init("unit_offset", offsetBits[Int(offsetCode)]), at: 0) }
    let count = try v.count(32, "num_compressed_units", units.count)
    try v.table("units", &units, columns: columns, count: count)
  }
}
