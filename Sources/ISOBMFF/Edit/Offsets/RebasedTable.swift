// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The bytes of a table with one column of offsets rewritten on demand, so that a table with millions of rows is never
/// in memory.
final class RebasedTable: ByteSource {
  private let table: Table
  private let column: Int
  private let columns: [Table.Column]
  private let rule: OffsetRule
  private let rowBytes: Int

  /// - Parameter columns: the columns of `table`, which are whole bytes, widened if needed.
  init(_ table: Table, column: Int, columns: [Table.Column], _ rule: OffsetRule) {
    self.table = table
    self.column = column
    self.columns = columns
    self.rule = rule
    rowBytes = columns.reduce(0) { $0 + $1.bits / 8 }
  }

  var count: Int { table.count * rowBytes }
  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    guard !range.isEmpty else { return }
    let rows = range.lowerBound / rowBytes..<(range.upperBound + rowBytes - 1) / rowBytes
    let origin = table.extent.range.lowerBound
    let oldRowBytes = table.rowBits / 8
    let old = try table.extent.source.bytes(
      in: origin + rows.lowerBound * oldRowBytes..<origin + rows.upperBound * oldRowBytes)
    var next = 0
    var position = rows.lowerBound * rowBytes
    for _ in rows {
      for index in columns.indices {
        let size = table.columns[index].bits / 8
        var value = UInt64(bigEndianBytes: old.span, at: next, count: size)
        next += size
        if index == column { value = rule.rebased(value) ?? value }
        for byte in (0..<columns[index].bits / 8).reversed() {
          if range.contains(position) {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(byte * 8)))
          }
          position += 1
        }
      }
    }
  }
}

/// A rule that converts offsets from one base to another.
struct OffsetRule: Sendable {
  var map: OffsetMap
  var oldBase = 0
  var newBase = 0

  /// Returns the new value, or `nil` if the old one refers to nothing.
  func rebased(_ value: UInt64) -> UInt64? {
    guard let offset = Int(exactly: value), let old = sum(oldBase, offset),
      let place = map.place(of: old), place >= newBase
    else { return nil }
    return UInt64(place - newBase)
  }

  func reason(for value: UInt64) -> String {
    guard let offset = Int(exactly: value), let old = sum(oldBase, offset),
      let next = sum(old, 1)
    else { return "is \(value), which no file is long enough for" }
    if let place = map.place(of: old), place < newBase {
      return "would have to point backwards, from byte \(newBase) to byte \(place)"
    }
    return map.reason(for: old..<next)
  }
}

/// Returns the sum of values from a file; `nil` if it exceeds the size of any file.
func sum(_ left: Int, _ right: Int) -> Int? {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? nil : sum
}
