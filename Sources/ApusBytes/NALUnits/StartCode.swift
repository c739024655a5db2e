// SPDX-License-Identifier: MIT

/// The search for `start_code_prefix_one_3bytes` (00 00 01): ITU-T H.265, B.2.1.
public enum StartCode {
  /// Returns the offset of the next 00 00 01 at or after `start`; `nil` if there is none.
  ///
  /// Two adjacent zero bytes are rare in coded video, so 32 bytes at a time are tested for zeros, and single bytes are
  /// checked only if there are any.
  public static func next(in bytes: Span<UInt8>, from start: Int = 0) -> Int? {
    next(in: bytes, from: start, where: isPrefix)
  }

  /// Returns the offset of the first bytes that a NAL unit must not contain (7.4.2.1): three of which the first two are
  /// 0 and the last is 0, 1 or 2, or is 3 and a byte above 3 follows it.
  public static func firstForbidden(in nalUnit: Span<UInt8>) -> Int? {
    next(in: nalUnit, from: 0, where: isForbidden)
  }

  @inline(__always)
  private static func next(
    in bytes: Span<UInt8>, from start: Int, where isWanted: (Span<UInt8>, Int) -> Bool
  ) -> Int? {
    var index = max(start, 0)
    let raw = unsafe bytes.bytes
    let wordsEnd = bytes.count - (MemoryLayout<Words>.size + 1)
    while index <= wordsEnd {
      // The bytes are initialized, and `index` is at most `wordsEnd`: both loads end inside the span.
      let here = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: Words.self)
      let after = unsafe raw.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index &+ 1, as: Words.self)
      if mayHoldZeroByte(here | after) {
        let end = index &+ MemoryLayout<Words>.size
        if let found = first(in: bytes, index..<end, where: isWanted) { return found }
        index = end
      } else {
        index &+= MemoryLayout<Words>.size
      }
    }
    return first(in: bytes, index..<max(index, bytes.count - 2), where: isWanted)
  }

  private typealias Words = SIMD4<UInt64>

  /// Returns whether a word may contain a zero byte, with the classic test: a byte of 0 borrows from its high bit.
  @inline(__always)
  private static func mayHoldZeroByte(_ words: Words) -> Bool {
    let ones = Words(repeating: 0x0101_0101_0101_0101)
    let borrowed = (words &- ones) & ~words
    return (borrowed.x | borrowed.y | borrowed.z | borrowed.w) & 0x8080_8080_8080_8080 != 0
  }

  @inline(__always)
  private static func first(
    in bytes: Span<UInt8>, _ starts: Range<Int>, where isWanted: (Span<UInt8>, Int) -> Bool
  ) -> Int? {
    for index in starts where index + 2 < bytes.count {
      if bytes[index] == 0, bytes[index + 1] == 0, isWanted(bytes, index + 2) { return index }
    }
    return nil
  }

  private static func isPrefix(_ bytes: Span<UInt8>, _ third: Int) -> Bool { bytes[third] == 1 }

  private static func isForbidden(_ bytes: Span<UInt8>, _ third: Int) -> Bool {
    bytes[third] < 3
      || bytes[third] == 3 && third + 1 < bytes.count && bytes[third + 1] > 3
  }
}
