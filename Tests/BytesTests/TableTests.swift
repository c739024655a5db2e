// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

struct TableTests {
  static let rows: [(columns: [Table.Column], bytes: String, rows: [[Int64]])] = [
    ([.init("entry_size", 32)], "00000001 ffffffff", [[1], [0xffff_ffff]]),
    (
      [.init("sample_count", 32), .init("sample_offset", 32, .signed)], "00000002 ffffffff",
      [[2, -1]]
    ),
    ([.init("chunk_offset", 64)], "ffffffffffffffff", [[-1]]),
    ([.init("entry_size", 4)], "12 30", [[1], [2], [3]]),
    ([.init("a", 3), .init("b", 5, .signed)], "5f a1", [[2, -1], [5, 1]]),
  ]

  @Test(arguments: rows) func `it reads and writes rows`(
    _ columns: [Table.Column], _ bytes: String, _ rows: [[Int64]]
  ) throws {
    let made = try Table(columns: columns, rows: rows)
    #expect(try made.extent.bytes() == hex(bytes))
    let table = Table(columns: columns, count: rows.count, extent: Extent(hex(bytes)))
    var scanned: [[Int64]] = []
    try table.scan { row in scanned.append(row.indices.map { row[$0] }) }
    #expect(scanned == rows)
    for index in rows.indices { #expect(try table.row(index) == rows[index]) }
    #expect(throws: SyntaxError.self) { try table.row(rows.count) }
    #expect(throws: SyntaxError.self) { try table.row(-1) }
  }

  @Test(arguments: rows.filter { $0.columns.allSatisfy { $0.bits % 8 == 0 } })
  func `it gathers rows, or measures them`(
    _ columns: [Table.Column], _ bytes: String, _ rows: [[Int64]]
  ) throws {
    var builder = TableBuilder(columns, capacity: rows.count)
    var measured = TableBuilder(columns, isMeasured: true)
    for row in rows {
      builder.append(row)
      measured.append(row)
    }
    #expect(try builder.table.extent.bytes() == hex(bytes))
    #expect(measured.table.count == rows.count)
    #expect(measured.table.extent.count == hex(bytes).count)
    #expect(throws: SyntaxError.self) { try measured.table.extent.bytes() }
  }

  @Test func `it scans a large one`() throws {
    let count = 100_000
    let table = try Table(columns: [.init("entry_size", 32)], rows: (0..<count).map { [Int64($0)] })
    var sum = 0
    try table.scan32 { sum += Int($0) }
    #expect(sum == count * (count - 1) / 2)
  }

  @Test func `it scans only one column fast`() throws {
    let table = try Table(columns: [.init("chunk_offset", 64)], rows: [[1]])
    #expect(throws: SyntaxError.self) { try table.scan32 { _ in } }
  }

  @Test func `it refuses more rows than there are bytes`() {
    var reader = SyntaxReader(MemorySource([0, 0, 0, 1, 0, 0, 0]))
    var table = Table()
    let columns = [Table.Column("entry_size", 32)]
    #expect(throws: SyntaxError.self) {
      try reader.table("entries", &table, columns: columns, count: 2)
    }
    #expect(throws: SyntaxError.self) {
      try reader.table("entries", &table, columns: columns, count: .max)
    }
    #expect(throws: SyntaxError.self) {
      try reader.table("entries", &table, columns: columns, count: -1)
    }
  }
}
