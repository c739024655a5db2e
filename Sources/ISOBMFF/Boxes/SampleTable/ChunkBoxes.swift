// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample to chunk (`stsc`): ISO/IEC 14496-12, 8.7.4.
public struct SampleToChunk: FullBox {
  public static let types: [FourCC] = ["stsc"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [
    .init("first_chunk", 32), .init("samples_per_chunk", 32),
    .init("sample_description_index", 32),
  ]
}

/// Chunk offsets of 32 bits (`stco`): ISO/IEC 14496-12, 8.7.5.
public struct ChunkOffsets: FullBox {
  public static let types: [FourCC] = ["stco"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [.init("chunk_offset", 32)]
}

/// Chunk offsets of 64 bits (`co64`): ISO/IEC 14496-12, 8.7.5.
public struct LargeChunkOffsets: FullBox {
  public static let types: [FourCC] = ["co64"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [.init("chunk_offset", 64)]
}
