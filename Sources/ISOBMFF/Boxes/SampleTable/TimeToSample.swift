// SPDX-License-Identifier: MIT

public import ApusBytes

/// Decoding time to sample (`stts`): ISO/IEC 14496-12, 8.6.1.2.
public struct DecodingTimeToSample: FullBox {
  public static let types: [FourCC] = ["stts"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [.init("sample_count", 32), .init("sample_delta", 32)]
}

/// Composition time to sample (`ctts`): ISO/IEC 14496-12, 8.6.1.3. Offsets are signed in version 1 only.
public struct CompositionTimeToSample: FullBox {
  public static let types: [FourCC] = ["ctts"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table(
      "entries", &entries, columns: version == 0 ? Self.columns : Self.signedColumns, count: count)
  }

  static let columns: [Table.Column] = [.init("sample_count", 32), .init("sample_offset", 32)]
  private static let signedColumns: [Table.Column] = [
    .init("sample_count", 32), .init("sample_offset", 32, .signed),
  ]
}

/// Composition to decode timeline (`cslg`): ISO/IEC 14496-12, 8.6.1.4.
public struct CompositionToDecode: FullBox {
  public static let types: [FourCC] = ["cslg"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var compositionToDTSShift: Int64 = 0
  public var leastDecodeToDisplayDelta: Int64 = 0
  public var greatestDecodeToDisplayDelta: Int64 = 0
  public var compositionStartTime: Int64 = 0
  public var compositionEndTime: Int64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 0 ? 32 : 64
    try v.i(bits, "compositionToDTSShift", &compositionToDTSShift)
    try v.i(bits, "leastDecodeToDisplayDelta", &leastDecodeToDisplayDelta)
    try v.i(bits, "greatestDecodeToDisplayDelta", &greatestDecodeToDisplayDelta)
    try v.i(bits, "compositionStartTime", &compositionStartTime)
    try v.i(bits, "compositionEndTime", &compositionEndTime)
  }
}
