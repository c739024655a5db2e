// SPDX-License-Identifier: MIT

/// The end of a payload: `rbsp_trailing_bits()` and `cabac_zero_word`s (ITU-T H.265, 7.3.2.11 and 7.3.2.12).
public struct TrailingBits: SyntaxStructure, Hashable {
  public var stopOneBit = true
  public var alignmentZeroBits: UInt8 = 0
  /// The bytes after the one with the stop bit; only `cabac_zero_word`s in a valid stream.
  public var cabacZeroWords: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("rbsp_stop_one_bit", &stopOneBit)
    guard stopOneBit else { throw v.failure(.invalid, "rbsp_stop_one_bit", "is 0") }
    if v.bitsUntilAligned > 0 {
      try v.u(v.bitsUntilAligned, "rbsp_alignment_zero_bit", &alignmentZeroBits)
    }
    if v.isReading ? v.remaining > 0 : !cabacZeroWords.isEmpty {
      try v.list(
        "cabac_zero_words", &cabacZeroWords, count: v.isReading ? nil : cabacZeroWords.count
      ) {
        byte, v throws(SyntaxError) in
        try v.u(8, "cabac_zero_words", &byte, as: .hex)
      }
    }
  }
}
