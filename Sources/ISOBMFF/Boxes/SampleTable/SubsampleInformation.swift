// SPDX-License-Identifier: MIT

public import ApusBytes

/// Subsample information (`subs`): ISO/IEC 14496-12, 8.7.7.
public struct SubsampleInformation: FullBox {
  public static let types: [FourCC] = ["subs"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var entries: [Entry] = []

  /// The subsamples of a sample, by its distance from the previous one in the list.
  public struct Entry: Blank, Sendable {
    public var sampleDelta: UInt32 = 0
    public var subsamples = Table()
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let columns: [Table.Column] = [
      .init("subsample_size", version == 1 ? 32 : 16), .init("subsample_priority", 8),
      .init("discardable", 8), .init("codec_specific_parameters", 32, .hex),
    ]
    let count = try v.count(32, "entry_count", entries.count)
    try v.list("entries", &entries, count: count) { entry, v throws(SyntaxError) in
      try v.u(32, "sample_delta", &entry.sampleDelta)
      let count = try v.count(16, "subsample_count", entry.subsamples.count)
      try v.table("subsamples", &entry.subsamples, columns: columns, count: count)
    }
  }
}
