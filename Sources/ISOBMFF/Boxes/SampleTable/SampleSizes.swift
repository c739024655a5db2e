// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample sizes (`stsz`): ISO/IEC 14496-12, 8.7.3.2.
public struct SampleSizes: FullBox {
  public static let types: [FourCC] = ["stsz"]
  public var header = FullBoxHeader()
  /// The size of every sample, or 0 if each has a separate entry.
  public var sampleSize: UInt32 = 0
  public var sampleCount: UInt32 = 0
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sample_size", &sampleSize)
    try v.u(32, "sample_count", &sampleCount)
    if sampleSize == 0 {
      try v.table("entries", &entries, columns: Self.columns, count: Int(sampleCount))
    }
  }

  static let columns: [Table.Column] = [.init("entry_size", 32)]
}
