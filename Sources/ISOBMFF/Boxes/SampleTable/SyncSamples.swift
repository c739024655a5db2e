// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sync samples (`stss`): ISO/IEC 14496-12, 8.6.2; QuickTime's partial sync samples (`stps`) have the same layout.
public struct SyncSamples: FullBox {
  public static let types: [FourCC] = ["stss", "stps"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [.init("sample_number", 32)]
}

/// Shadow sync samples (`stsh`): ISO/IEC 14496-12, 8.6.3.
public struct ShadowSyncSamples: FullBox {
  public static let types: [FourCC] = ["stsh"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table(
      "entries", &entries,
      columns: [.init("shadowed_sample_number", 32), .init("sync_sample_number", 32)],
      count: count)
  }
}
