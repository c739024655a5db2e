// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample to group (`sbgp`): ISO/IEC 14496-12, 8.9.2.
public struct SampleToGroup: FullBox {
  public static let types: [FourCC] = ["sbgp"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var groupingType: FourCC = "roll"
  public var groupingTypeParameter: UInt32 = 0
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "grouping_type", &groupingType)
    if version == 1 { try v.u(32, "grouping_type_parameter", &groupingTypeParameter) }
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [
    .init("sample_count", 32), .init("group_description_index", 32),
  ]
}
