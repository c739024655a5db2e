// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

/// A box with tables under test, and what all their rows say.
struct TableRow: Sendable, CustomTestStringConvertible {
  var box: BoxRow
  var rows: [[Int64]]

  init(
    _ source: String, in parents: [FourCC] = [], _ bytes: String, _ fields: [String],
    rows: [[Int64]]
  ) {
    box = BoxRow(source, in: parents, bytes, fields)
    self.rows = rows
  }

  var testDescription: String { box.source }
}

/// The four checks of every box, and every row of its tables.
func check(_ table: TableRow) throws {
  try check(table.box)
  var rows: [[Int64]] = []
  for (_, field) in try table.box.read(table.box.bytes).node.fields().flatMap(\.leaves) {
    guard case .table(let table) = field.value else { continue }
    try table.scan { row in rows.append(row.indices.map { row[$0] }) }
  }
  #expect(rows == table.rows)
}
