// SPDX-License-Identifier: MIT

/// A Huffman codebook of AAC, as far as the length of coded data depends on it: ISO/IEC 14496-3, 4.A.1.
///
/// Codewords of equal length are consecutive numbers, and the first of each length follows the last shorter one. So the
/// number of codewords of each length determines all of them.
struct AACCodebook: Sendable {
  /// The number of codewords of each length, from 1 bit.
  let counts: [Int]
  /// For each codeword in the order of length and value, the number of sign bits that follow it, plus 3 for each escape
  /// sequence; empty if nothing follows any codeword.
  let extras: [UInt8]
  /// The number of spectral lines that a codeword describes.
  let lines: Int

  private init(_ counts: [Int], lines: Int = 2, extras: String = "") {
    self.counts = counts
    self.lines = lines
    self.extras = extras.utf8.map { $0 - 0x30 }
  }

  /// Reads a codeword, and returns its index in the order of length and value.
  func index(_ bits: inout AACBits) throws(AACMismatch) -> Int {
    var (code, first, index) = (0, 0, 0)
    for count in counts {
      code |= try bits.read(1)
      if code - first < count { return index + code - first }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw AACMismatch()
  }

  /// The codebooks of spectral data, by their numbers from 1 to 11; the first is unused.
  static let spectral: [AACCodebook] = [
    AACCodebook([]),
    AACCodebook([1, 0, 0, 0, 8, 0, 24, 0, 24, 8, 16], lines: 4),
    AACCodebook([0, 0, 1, 1, 7, 24, 15, 19, 14], lines: 4),
    AACCodebook(
      [1, 0, 0, 4, 2, 6, 3, 5, 15, 15, 8, 9, 3, 3, 5, 2], lines: 4,
      extras: """
        011112222232343311223232331221224334323244332333223243344233333344442233434443233
        """),
    AACCodebook(
      [0, 0, 0, 10, 6, 0, 9, 21, 8, 14, 11, 2], lines: 4,
      extras: """
        433331202222121144443333333333332222222222221111444444333333333433344422222243333
        """),
    AACCodebook([1, 0, 0, 4, 4, 0, 4, 12, 12, 12, 18, 10, 4]),
    AACCodebook([0, 0, 0, 9, 0, 16, 13, 8, 23, 8, 4]),
    AACCodebook(
      [1, 0, 2, 1, 0, 4, 5, 10, 14, 15, 8, 4],
      extras: """
        0112221122211222222221122212122222222211222222222222112222222222
        """),
    AACCodebook(
      [0, 0, 1, 5, 7, 10, 14, 15, 8, 4],
      extras: """
        2212120112222222221122222222221212222222121222222222221212222112
        """),
    AACCodebook(
      [1, 0, 2, 1, 0, 4, 3, 8, 11, 20, 31, 38, 32, 14, 4],
      extras: """
        0112221122211222222221122222221212222222212222222212221222212222112222222222222122212222\
        222222222222222212212222222122222222222222212212222122222222222222222222222222222
        """),
    AACCodebook(
      [0, 0, 0, 3, 8, 14, 17, 25, 31, 41, 22, 8],
      extras: """
        2222112222211222202211222222222222121222222222222121222222222222222222122222122222222222\
        222222121222222212222221222222222222222221212122222222222222212122212221222222122
        """),
    AACCodebook(
      [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6],
      extras: """
        0281122222212122222221122222222222222255555251215255552222255225552252555252255222155222\
        2125522525222222252212222221222222222222221222222222224222222421222222222222222222222222\
        2222221222222222222222222122222222222222222222222222211222222222222222222222222221221212\
        2212222211222212212112112
        """),
  ]

  /// The codebook of differences of scale factors.
  static let scaleFactors = AACCodebook([
    1, 0, 1, 3, 2, 4, 3, 5, 4, 6, 6, 6, 5, 8, 4, 7, 3, 7, 46,
  ])

  /// The differences of scale factors, in the order of their codewords.
  static let scaleFactorDifferences: [Int] = [
    0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6, -6, 7, -7, 8, -8, 9, -9, 10, -10, -11, 11, 12, -12, 13,
    -13, 14, -14, 16, 15, 17, 18, -15, -17, -16, 19, -18, -19, 20, -20, 21, -21, 22, -22, 23, -23,
    -25, 25, -27, -24, -26, 24, -28, 27, 29, -30, -29, 26, -31, -34, -33, -32, -36, 28, -35, -38,
    -37, 30, -39, -41, -57, -59, -58, -60, 38, 39, 40, 41, 42, 57, 37, 31, 32, 33, 34, 35, 36, 44,
    51, 52, 53, 54, 55, 56, 50, 45, 46, 47, 48, 49, 58, -54, -52, -51, -50, -55, 43, 60, 59, -56,
    -53, -45, -44, -42, -40, -43, -49, -48, -46, -47,
  ]
}
