// SPDX-License-Identifier: MIT

public import ApusBytes

/// Compact sample sizes (`stz2`): ISO/IEC 14496-12, 8.7.3.3. An odd number of 4-bit sizes ends with four
/// bits of padding.
public struct CompactSampleSizes: FullBox {
  public static let types: [FourCC] = ["stz2"]
  public var header = FullBoxHeader()
  public var reserved: UInt32 = 0
  /// The number of bits in an entry: 4, 8 or 16.
  public var fieldSize: UInt8 = 16
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(24, "reserved", &reserved)
    try v.u(8, "field_size", &fieldSize)
    guard [4, 8, 16].contains(fieldSize) else {
      throw v.failure(.invalid, "field_size", "is \(fieldSize), allowed are 4, 8 and 16")
    }
    let count = try v.count(32, "sample_count", entries.count)
    try v.table(
      "entries", &entries, columns: [.init("entry_size", Int(fieldSize))], count: count)
  }
}
