// SPDX-License-Identifier: MIT

/// Gathers the rows of a table of our own, packed as they will be written.
public struct TableBuilder: Sendable {
  public let columns: [Table.Column]
  public private(set) var count = 0
  private var bytes: [UInt8] = []

  /// - Parameter columns: all of whole bytes, as those of most tables are.
  public init(_ columns: [Table.Column], capacity: Int = 0) {
    self.columns = columns
    bytes.reserveCapacity(capacity * columns.reduce(0) { $0 + $1.bits / 8 })
  }

  /// A row of one value for each column, of which the lowest bits are kept.
  public mutating func append(_ values: Int64...) { append(values) }

  public mutating func append(_ values: [Int64]) {
    for (column, value) in zip(columns, values) {
      for shift in stride(from: column.bits - 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
      }
    }
    count += 1
  }

  public var table: Table { Table(columns: columns, count: count, extent: Extent(bytes)) }
}
