// SPDX-License-Identifier: MIT

public import ApusBytes

/// Edit list (`elst`): ISO/IEC 14496-12, 8.6.6.
public struct EditList: FullBox {
  public static let types: [FourCC] = ["elst"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var entries = Table()

  /// A row of the list.
  public struct Edit: Hashable, Sendable {
    /// The duration of the edit, in the movie's timescale.
    public var segmentDuration: UInt64 = 0
    /// The media time at which the edit begins, in the media's timescale; -1 for an empty edit.
    public var mediaTime: Int64 = 0
    /// The whole part of the playback rate; 0 for a picture that stands still.
    public var mediaRateInteger: Int16 = 1
    /// The fractional part of the playback rate, in 65536ths.
    public var mediaRateFraction: Int16 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.table("entries", &entries, columns: Self.columns(version: version), count: count)
  }

  private static func columns(version: UInt8) -> [Table.Column] {
    let bits = version == 1 ? 64 : 32
    return [
      .init("segment_duration", bits), .init("media_time", bits, .signed),
      .init("media_rate_integer", 16, .signed), .init("media_rate_fraction", 16, .signed),
    ]
  }
}

extension EditList {
  /// The maximum number of rows that may be read at once.
  public static let mostEdits = 1 << 20

  /// Creates a list, with fields as wide as its values require.
  public init(_ edits: [Edit]) throws(SyntaxError) {
    let isLarge = edits.contains { $0.segmentDuration > UInt32.max || $0.mediaTime > Int32.max }
    header.version = isLarge ? 1 : 0
    entries = try Table(
      columns: Self.columns(version: version),
      rows: edits.map {
        [
          Int64(bitPattern: $0.segmentDuration), $0.mediaTime, Int64($0.mediaRateInteger),
          Int64($0.mediaRateFraction),
        ]
      })
  }

  /// Returns the rows, read from the file.
  public func edits() throws(SyntaxError) -> [Edit] {
    guard entries.count <= Self.mostEdits else {
      throw SyntaxError(
        .limit, field: "entry_count", offset: entries.extent.range.lowerBound,
        detail: "is \(entries.count), at most \(Self.mostEdits) edits are followed")
    }
    var edits: [Edit] = []
    edits.reserveCapacity(entries.count)
    try entries.scan { row in
      var edit = Edit()
      edit.segmentDuration = UInt64(bitPattern: row[0])
      edit.mediaTime = row[1]
      edit.mediaRateInteger = Int16(truncatingIfNeeded: row[2])
      edit.mediaRateFraction = Int16(truncatingIfNeeded: row[3])
      edits.append(edit)
    }
    return edits
  }
}
