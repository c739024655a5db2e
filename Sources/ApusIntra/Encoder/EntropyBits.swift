// SPDX-License-Identifier: MIT

/// The costs of bins by the state of their context variable: estimates in 2048ths of a bit.
enum EntropyBits {
  static let one: Int32 = 2048

  /// Returns the cost by state and bin: entry `state * 2 + bin`, with the states of `ArithmeticTables`.
  static func table() -> [UInt16] {
    (0..<256).map { index in
      let (state, isLess) = (index >> 2, (index >> 1 ^ index) & 1 != 0)
      // The probability decreases by the same factor from state to state, so the bits increase linearly.
      return isLess ? UInt16(2048 + 154 * state) : moreProbable[state]
    }
  }

  /// The costs -log2(1 - p), p = 0.5 · 0.0375^(state / 63).
  private static let moreProbable: [UInt16] = [
    2048, 1902, 1769, 1649, 1539, 1438, 1345, 1260, 1181, 1108, 1041, 978, 920, 866, 815, 768,
    723, 682, 643, 607, 573, 541, 511, 483, 456, 431, 408, 386, 365, 345, 327, 309,
    293, 277, 262, 249, 235, 223, 211, 200, 190, 180, 170, 161, 153, 145, 138, 130,
    124, 117, 111, 105, 100, 95, 90, 85, 81, 77, 73, 69, 65, 62, 59, 59,
  ]
}
