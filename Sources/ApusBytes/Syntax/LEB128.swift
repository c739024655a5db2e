// SPDX-License-Identifier: MIT

/// A number in groups of seven bits, the lowest first (`leb128()`): AV1 Bitstream & Decoding Process Specification, 4.10.5;
/// Immersive Audio Model and Formats 1.0, 3.1.
package struct LEB128: SyntaxStructure, Hashable {
  package var value: UInt64 = 0
  /// The number of bytes as written, which may be more than are needed.
  private var length = 1

  /// The maximum number of bytes.
  private static let longest = 8

  package init() {}

  /// The number as a size or a count; one that no input has if it is too large.
  package var count: Int { Int(clamping: value) }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, "leb128")
  }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ name: StaticString)
    throws(SyntaxError)
  {
    if v.isReading {
      let bytes = try v.peek(Self.longest)
      guard let last = bytes.firstIndex(where: { $0 & 0x80 == 0 }) else {
        throw v.failure(
          bytes.count < Self.longest ? .truncated : .invalid, name,
          "does not end within \(bytes.count) bytes")
      }
      (value, length) = (0, last + 1)
    }
    while value >> UInt64(7 * length) > 0, length < Self.longest { length += 1 }
    guard var bits = Self.bits(of: value, in: length) else {
      throw v.failure(.misuse, name, "of \(value) does not fit \(length) bytes")
    }
    try v.u(8 * length, name, &bits, as: .leb128)
    if v.isAssigning { value = Self.value(of: bits) }
  }

  /// Returns the bits of a number in so many bytes, the first byte highest; `nil` if it does not fit.
  static func bits(of value: UInt64, in count: Int) -> UInt64? {
    guard value >> UInt64(7 * count) == 0 else { return nil }
    var bits: UInt64 = 0
    for place in 0..<count {
      let group = (value >> UInt64(7 * place)) & 0x7f
      let mark: UInt64 = place + 1 < count ? 0x80 : 0
      bits = bits << 8 | group | mark
    }
    return bits
  }

  /// Returns the number that the bytes of a field make. The first of several bytes is not zero.
  package static func value(of bits: UInt64) -> UInt64 {
    var (value, rest) = (UInt64(0), bits)
    while rest > 0 {
      value = value << 7 | (rest & 0x7f)
      rest >>= 8
    }
    return value
  }
}
