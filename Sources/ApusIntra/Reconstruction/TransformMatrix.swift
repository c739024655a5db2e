// SPDX-License-Identifier: MIT

/// The `transMatrix` (ITU-T H.265, 8.6.4.2), in the layout needed for multiply-and-add of pairs.
///
/// A column of the matrix is symmetric in its even rows and antisymmetric in the odd ones, so half of it is enough. For
/// a block with sides of 2^log2 there are groups of four rows starting at log2 × 512, 64 numbers each: rows 0 and 2 of
/// the group in pairs, and from 32 rows 1 and 3. For blocks of 4 × 4, rows 0 and 1 come first, in pairs, then rows 2
/// and 3; and from 16 those of the alternative transform (`trType` 1).
enum TransformMatrix {
  /// The first column of the matrix of 32 × 32, from which all numbers follow: cosines of multiples of π/64.
  private static let cosines: [Int16] = [
    64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67,
    64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22, 18, 13, 9, 4, 0,
  ]

  private static let small: [Int16] = [
    64, 83, 64, 36, 64, -36, 64, -83, 64, 36, -64, -83, -64, 83, 64, -36,
    29, 74, 55, 74, 74, 0, 84, -74, 84, 55, -29, -84, -74, 74, 55, -29,
  ]

  static func entry(log2: Int, row: Int, column: Int) -> Int16 {
    var angle = ((row * (2 * column + 1)) << (5 - log2)) & 127
    if angle > 64 { angle = 128 - angle }
    return angle > 32 ? -cosines[64 - angle] : cosines[angle]
  }

  static func pairs() -> [Int16] {
    var pairs = small + [Int16](repeating: 0, count: 6 * 512 - small.count)
    for log2 in 3...5 {
      for group in 0..<(1 << log2) / 4 {
        for column in 0..<(1 << log2) / 2 {
          for odd in 0...1 {
            let place = log2 * 512 + group * 64 + odd * 32 + 2 * column
            pairs[place] = entry(log2: log2, row: 4 * group + odd, column: column)
            pairs[place + 1] = entry(log2: log2, row: 4 * group + odd + 2, column: column)
          }
        }
      }
    }
    return pairs
  }
}
