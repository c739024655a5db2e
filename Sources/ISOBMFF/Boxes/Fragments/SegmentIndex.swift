// SPDX-License-Identifier: MIT

public import ApusBytes

/// Segment index (`sidx`): ISO/IEC 14496-12, 8.16.3.
public struct SegmentIndex: FullBox {
  public static let types: [FourCC] = ["sidx"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var referenceID: UInt32 = 1
  public var timescale: UInt32 = 1000
  public var earliestPresentationTime: UInt64 = 0
  public var firstOffset: UInt64 = 0
  public var reserved: UInt16 = 0
  public var references = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 0 ? 32 : 64
    try v.u(32, "reference_ID", &referenceID)
    try v.u(32, "timescale", &timescale)
    try v.u(bits, "earliest_presentation_time", &earliestPresentationTime)
    try v.u(bits, "first_offset", &firstOffset)
    try v.u(16, "reserved", &reserved)
    let count = try v.count(16, "reference_count", references.count)
    try v.table("references", &references, columns: Self.columns, count: count)
  }

  static let columns: [Table.Column] = [
    .init("reference_type", 1), .init("referenced_size", 31), .init("subsegment_duration", 32),
    .init("starts_with_SAP", 1), .init("SAP_type", 3), .init("SAP_delta_time", 28),
  ]
}

/// Subsegment index (`ssix`): ISO/IEC 14496-12, 8.16.4.
public struct SubsegmentIndex: FullBox {
  public static let types: [FourCC] = ["ssix"]
  public var header = FullBoxHeader()
  /// The subsegments, each with its ranges.
  public var subsegments: [Subsegment] = []

  /// The ranges of a subsegment, each with its level.
  public struct Subsegment: Blank, Sendable {
    public var ranges = Table()
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "subsegment_count", subsegments.count)
    try v.list("subsegments", &subsegments, count: count) { subsegment, v throws(SyntaxError) in
      let count = try v.count(32, "range_count", subsegment.ranges.count)
      try v.table(
        "ranges", &subsegment.ranges, columns: [.init("level", 8), .init("range_size", 24)],
        count: count)
    }
  }
}
