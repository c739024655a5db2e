// SPDX-License-Identifier: MIT

/// A walk over the rows of a table, one at a time, that keeps only a window of the input.
public struct TableCursor: Sendable {
  /// The types of the columns, without their names.
  private let fields: [(bits: Int, isSigned: Bool)]
  private var reader: SyntaxReader
  /// The number of rows left.
  public private(set) var remaining: Int

  init(_ table: Table, _ rows: Range<Int>) throws(SyntaxError) {
    fields = table.columns.map { ($0.bits, $0.kind == .signed && $0.bits > 0) }
    remaining = rows.count
    let start = rows.lowerBound * table.rowBits
    let end = rows.upperBound * table.rowBits
    let origin = table.extent.range.lowerBound
    reader = SyntaxReader(
      table.extent.source, range: origin + start / 8..<origin + (end + 7) / 8)
    var skipped: UInt64 = 0
    if start % 8 > 0 { try reader.field(start % 8, "row", &skipped, .unsigned) }
  }

  /// Reads the next row's columns into `values`; returns `false` if there is none.
  public mutating func next(_ values: inout [Int64]) throws(SyntaxError) -> Bool {
    guard remaining > 0 else { return false }
    remaining -= 1
    if values.count != fields.count { values = Array(repeating: 0, count: fields.count) }
    for index in fields.indices {
      let field = fields[index]
      var bits: UInt64 = 0
      try reader.field(field.bits, "row", &bits, .unsigned)
      let unused = UInt64(64 - field.bits)
      values[index] =
        field.isSigned ? Int64(bitPattern: bits << unused) >> unused : Int64(bitPattern: bits)
    }
    return true
  }
}
