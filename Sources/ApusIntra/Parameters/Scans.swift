// SPDX-License-Identifier: MIT

/// The orders in which coefficients are coded: ITU-T H.265, 6.5.3 to 6.5.5.
///
/// All of them are in one array, whose span is taken once for each block: an `InlineArray` would be copied whole
/// whenever one entry is read.
struct Scans: Sendable {
  static let diagonal = 0
  static let horizontal = 1
  static let vertical = 2

  /// The columns of square blocks with sides of 1, 2, 4 and 8: 64 entries at (`scan` × 4 + log2) × 64.
  static let columns = 0
  static let rows = 1024
  /// The positions in a sub-block of 4 × 4: row × 4 + column, 16 entries for each scan.
  static let places = 2048
  /// The `sigCtx` of positions in a sub-block in scan order (9.3.4.2.5): for each scan 16 entries for each of the four
  /// patterns of coded neighbours, then 16 for blocks of 4 × 4.
  static let significance = 2112

  /// The inverse of columns and rows: the position in the scan by row × side + column, 64 entries at (`scan` × 4 +
  /// log2) × 64.
  static let inverse = 2560

  /// The positions of a sub-block's samples in a block: row × side + column, 16 entries at (`scan` × 4 + log2 - 2) ×
  /// 16.
  static let steps = 3328

  private(set) var entries = [UInt8](repeating: 0, count: 4096)

  init() {
    for log2 in 0..<4 {
      let side = 1 << log2
      let base = log2 * 64
      var index = 0
      for sum in 0..<2 * side - 1 {
        for row in (0...min(sum, side - 1)).reversed() where sum - row < side {
          entries[Self.columns + base + index] = UInt8(sum - row)
          entries[Self.rows + base + index] = UInt8(row)
          index += 1
        }
      }
      for index in 0..<side * side {
        let (high, low) = (UInt8(index >> log2), UInt8(index & (side - 1)))
        entries[Self.columns + base + 256 + index] = low
        entries[Self.rows + base + 256 + index] = high
        entries[Self.columns + base + 512 + index] = high
        entries[Self.rows + base + 512 + index] = low
      }
    }
    for block in 0..<12 {
      let log2 = block & 3
      for index in 0..<1 << (2 * log2) {
        let column = Int(entries[Self.columns + block * 64 + index])
        let row = Int(entries[Self.rows + block * 64 + index])
        entries[Self.inverse + block * 64 + row << log2 + column] = UInt8(index)
      }
    }
    // Sub-blocks are scanned horizontally only in blocks of 8 × 8; in larger blocks, only diagonally.
    for scan in 0..<3 {
      for index in 0..<16 {
        let column = Int(entries[Self.columns + (scan * 4 + 2) * 64 + index])
        let row = Int(entries[Self.rows + (scan * 4 + 2) * 64 + index])
        entries[Self.places + scan * 16 + index] = UInt8(row * 4 + column)
        for log2 in 2...5 {
          entries[Self.steps + (scan * 4 + log2 - 2) * 16 + index] = UInt8(row << log2 + column)
        }
        let base = Self.significance + scan * 80 + index
        entries[base] = column + row == 0 ? 2 : column + row < 3 ? 1 : 0
        entries[base + 16] = row == 0 ? 2 : row == 1 ? 1 : 0
        entries[base + 32] = column == 0 ? 2 : column == 1 ? 1 : 0
        entries[base + 48] = 2
        entries[base + 64] = Self.smallBlock[row * 4 + column]
      }
    }
  }

  /// The table `ctxIdxMap`: Table 9-50.
  private static let smallBlock: [UInt8] = [0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8]

  /// Returns the diagonal order of a block with this side, as `(column, row)`.
  static func diagonalOrder(log2: Int) -> [(column: Int, row: Int)] {
    let side = 1 << log2
    return (0..<2 * side - 1).flatMap { sum in
      (0...min(sum, side - 1)).reversed().filter { sum - $0 < side }.map { (sum - $0, $0) }
    }
  }
}
