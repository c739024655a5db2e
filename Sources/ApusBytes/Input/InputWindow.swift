// SPDX-License-Identifier: MIT

/// The part of an input that a reader accesses: all of it if it is in memory already, otherwise at most `size` bytes,
/// fetched on demand, with read-ahead only up to `readAheadEnd`.
struct InputWindow: Sendable {
  let source: any ByteSource
  /// The end of the range that may be read ahead.
  var readAheadEnd: Int
  private var bytes: [UInt8]
  /// The offset of the first byte.
  private var start: Int

  private static let size = 1 << 16

  init(_ source: any ByteSource, readAheadEnd: Int) {
    self.source = source
    self.readAheadEnd = readAheadEnd
    bytes = source.resident ?? []
    start = 0
  }

  mutating func byte(at offset: Int) throws(SyntaxError) -> UInt8 {
    let index = offset - start
    if bytes.indices.contains(index) { return bytes[index] }
    try fetch(offset..<offset + 1)
    return bytes[offset - start]
  }

  /// Returns `count` bytes as one number, if they are in the window already.
  func number(of count: Int, at offset: Int) -> UInt64? {
    let index = offset - start
    guard index >= 0, index + count <= bytes.count else { return nil }
    if count == 4 {
      // In bounds: checked above.
      let word = unsafe bytes.span.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt32.self)
      return UInt64(word.bigEndian)
    }
    return UInt64(bigEndianBytes: bytes.span, at: index, count: count)
  }

  mutating func load(_ range: Range<Int>) throws(SyntaxError) -> [UInt8] {
    if range.isEmpty { return [] }
    if source.resident != nil || range.count > Self.size { return try source.bytes(in: range) }
    try fetch(range)
    return Array(bytes[range.lowerBound - start..<range.upperBound - start])
  }

  /// Makes the window cover `range`, reading ahead as far as allowed.
  private mutating func fetch(_ range: Range<Int>) throws(SyntaxError) {
    if range.lowerBound >= start, range.upperBound <= start + bytes.count { return }
    let ahead = min(range.lowerBound + Self.size, max(readAheadEnd, range.upperBound))
    bytes = try source.bytes(in: range.lowerBound..<max(range.upperBound, min(ahead, source.count)))
    start = range.lowerBound
  }
}
