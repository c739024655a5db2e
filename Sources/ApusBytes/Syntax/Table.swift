// SPDX-License-Identifier: MIT

/// Rows of equal size that stay in the input until they are needed, so that opening a file with ten million samples
/// costs no more than its headers.
public struct Table: Sendable {
  /// One value of each row, named as in the standard.
  public struct Column: Hashable, Sendable {
    /// The name in the standard, such as `sample_delta`.
    public var name: String
    /// The size of each value in bits, 1 to 64.
    public var bits: Int
    /// The display form of the values; of the kind `signed`, they are two's complement.
    public var kind: FieldKind

    public init(_ name: String, _ bits: Int, _ kind: FieldKind = .unsigned) {
      self.name = name
      self.bits = bits
      self.kind = kind
    }
  }

  /// The columns, in the order of the values in a row.
  public let columns: [Column]
  /// The number of rows.
  public let count: Int
  /// The bytes of the rows in the input.
  public let extent: Extent

  public init(columns: [Column], count: Int, extent: Extent) {
    self.columns = columns
    self.count = count
    self.extent = extent
  }

  /// Creates a table from rows in memory.
  public init(columns: [Column], rows: [[Int64]]) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    for row in rows {
      for (column, value) in zip(columns, row) {
        var bits = UInt64(bitPattern: value)
        if column.bits < 64 { bits &= (1 << UInt64(column.bits)) - 1 }
        try writer.field(column.bits, "row", &bits, column.kind)
      }
    }
    if !writer.isAligned {
      var padding: UInt64 = 0
      try writer.field(8 - writer.bitCount % 8, "padding", &padding, .unsigned)
    }
    self.init(columns: columns, count: rows.count, extent: Extent(writer.sink.bytes))
  }

  /// The size of a row in bits.
  public var rowBits: Int { columns.reduce(0) { $0 + $1.bits } }

  /// Returns one row; `scan` is faster for many rows.
  public func row(_ index: Int) throws(SyntaxError) -> [Int64] {
    var result: [Int64] = []
    try scan(index..<index + 1) { values in result = values.indices.map { values[$0] } }
    return result
  }

  /// Passes the rows in order, each as the values of its columns (unsigned 64-bit values as bit patterns).
  public func scan(_ rows: Range<Int>? = nil, _ body: (Span<Int64>) -> Void) throws(SyntaxError) {
    var cursor = try cursor(over: rows)
    var values: [Int64] = []
    while try cursor.next(&values) { body(values.span) }
  }

  /// Returns a walk over the rows that the caller controls.
  public func cursor(over rows: Range<Int>? = nil) throws(SyntaxError) -> TableCursor {
    let rows = rows ?? 0..<count
    guard rows.lowerBound >= 0, rows.upperBound <= count else {
      throw SyntaxError(
        .misuse, field: "row", offset: extent.range.lowerBound,
        detail: "\(rows.upperBound - 1) is outside the \(count) rows")
    }
    return try TableCursor(self, rows)
  }

  /// Passes the values of a table with a single column of 32 bits, at memory speed; use `scan` for all others.
  @inlinable
  public func scan32(_ body: (UInt32) -> Void) throws(SyntaxError) {
    guard columns.count == 1, columns[0].bits == 32 else {
      throw SyntaxError(
        .misuse, field: "table", offset: extent.range.lowerBound,
        detail: "is not one of a single 32-bit column")
    }
    try extent.forEachPiece { piece throws(SyntaxError) in
      let bytes = unsafe piece.bytes
      let end = bytes.byteCount - 3
      var offset = 0
      while offset < end {
        // In bounds: at least four bytes are left before the end.
        let value = unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: offset, as: UInt32.self)
        offset &+= 4
        body(value.bigEndian)
      }
    }
  }
}

extension Table: Blank, Equatable {
  public init() { self.init(columns: [], count: 0, extent: Extent()) }
}

extension Table {
  /// Returns the same table, read from an input with the same bytes.
  package func read(from source: any ByteSource) -> Table {
    Table(columns: columns, count: count, extent: Extent(source, extent.range))
  }
}
