// SPDX-License-Identifier: MIT

/// The tables of the arithmetic decoder: ITU-T H.265, 9.3.4.3.2.
enum ArithmeticTables {
  /// Returns the data for each of the 128 states of a context variable: four ranges of the less probable symbol,
  /// selected by the two bits below the highest of the range (Table 9-52), in bytes 0 to 3, the next state after the
  /// more probable symbol in byte 4 and after the other in byte 5 (Table 9-53), and above them the shifts for those
  /// ranges in four bits each. The lowest bit of a state is its more probable symbol.
  static func states() -> [UInt64] {
    var states = [UInt64](repeating: 0, count: 128)
    for index in 0..<64 {
      for symbol in 0..<2 {
        var packed: UInt64 = 0
        for quarter in 0..<4 {
          let range = rangeTabLPS[index * 4 + quarter]
          packed |= UInt64(range) << UInt64(8 * quarter)
          packed |= UInt64(range.leadingZeroBitCount + 1) << UInt64(48 + 4 * quarter)
        }
        let afterMore = index < 62 ? index + 1 : index
        let symbolAfterLess = index == 0 ? 1 - symbol : symbol
        packed |= UInt64(afterMore << 1 | symbol) << 32
        packed |= UInt64(Int(transIdxLPS[index]) << 1 | symbolAfterLess) << 40
        states[index << 1 | symbol] = packed
      }
    }
    return states
  }

  /// Returns 2^39 divided by each range, rounded up, so that bypass bins result from one multiplication.
  static func reciprocals() -> [UInt32] {
    (0..<512).map { (range: Int) -> UInt32 in
      range < 256 ? 0 : UInt32(((1 << 39) + UInt64(range) - 1) / UInt64(range))
    }
  }

  /// The values of `rangeTabLps`, four for each `pStateIdx`.
  private static let rangeTabLPS: [UInt8] = [
    128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205,
    116, 142, 169, 195, 111, 135, 160, 185, 105, 128, 152, 175, 100, 122, 144, 166,
    95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117, 135,
    77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110,
    62, 76, 90, 104, 59, 72, 86, 99, 56, 69, 81, 94, 53, 65, 77, 89,
    51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72,
    41, 50, 59, 69, 39, 48, 56, 65, 37, 45, 54, 62, 35, 43, 51, 59,
    33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48,
    27, 33, 39, 45, 26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39,
    22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31,
    18, 22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25,
    14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15, 18, 21,
    12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17,
    10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12, 14, 8, 10, 12, 14,
    8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11,
    6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2, 2, 2,
  ]

  private static let transIdxLPS: [UInt8] = [
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12,
    13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
    24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33,
    33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37, 38, 38, 63,
  ]
}
