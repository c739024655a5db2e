// SPDX-License-Identifier: MIT

/// Collects the rows of a new table, packed in written form.
public struct TableBuilder: Sendable {
  /// The columns, each of whole bytes.
  public let columns: [Table.Column]
  /// The number of rows appended so far.
  public private(set) var count = 0
  private var bytes: [UInt8] = []
  private let isMeasured: Bool

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - columns: the columns, which must consist of whole bytes.
  ///   - isMeasured: whether rows are only counted, for the size of the table.
  public init(_ columns: [Table.Column], capacity: Int = 0, isMeasured: Bool = false) {
    self.columns = columns
    self.isMeasured = isMeasured
    if !isMeasured { bytes.reserveCapacity(capacity * Self.size(of: columns)) }
  }

  /// Appends a row with one value for each column, of which the lowest bits are kept.
  @inlinable
  public mutating func append(_ values: Int64...) { append(values) }

  /// Appends a row with one value for each column, of which the lowest bits are kept.
  @inlinable
  public mutating func append(_ values: [Int64]) {
    for (index, value) in values.enumerated() { put(value, in: index) }
    endRow()
  }

  @usableFromInline
  mutating func put(_ value: Int64, in column: Int) {
    guard !isMeasured, column < columns.count else { return }
    for shift in stride(from: columns[column].bits - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
    }
  }

  @usableFromInline
  mutating func endRow() { count += 1 }

  /// The rows so far; rows that were only counted cannot be read.
  public var table: Table {
    guard isMeasured else { return Table(columns: columns, count: count, extent: Extent(bytes)) }
    let unread = UnreadSource(count: count * Self.size(of: columns))
    return Table(columns: columns, count: count, extent: Extent(unread, 0..<unread.count))
  }

  private static func size(of columns: [Table.Column]) -> Int {
    columns.reduce(0) { $0 + $1.bits / 8 }
  }
}

/// Bytes that were only counted, never created.
private final class UnreadSource: ByteSource {
  let count: Int
  init(count: Int) { self.count = count }

  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    throw SyntaxError(.misuse, field: "table", detail: "was measured, and has no rows")
  }
}
