// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The bytes around the place of a search through a file, of which one piece at a time is in memory.
struct SearchWindow: Sendable {
  let source: any ByteSource
  private var bytes: [UInt8] = []
  private var start = 0

  private static let size = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// The size of the file in bytes.
  var count: Int { source.count }

  /// Returns up to `count` bytes from an offset; fewer at the end of the file.
  mutating func bytes(at offset: Int, upTo count: Int) throws(SyntaxError) -> ArraySlice<UInt8> {
    let end = min(offset + count, source.count)
    guard offset < end else { return [] }
    if offset < start || end > start + bytes.count {
      let last = min(source.count, max(end, offset + Self.size))
      bytes = try source.bytes(in: offset..<last)
      start = offset
    }
    return bytes[offset - start..<end - start]
  }

  /// Returns whether all bytes of a range are 0.
  func isZero(_ range: Range<Int>) throws(SyntaxError) -> Bool {
    var isZero = true
    try Extent(source, range).forEachPiece { piece throws(SyntaxError) in
      for index in piece.indices where piece[index] != 0 {
        isZero = false
        return
      }
    }
    return isZero
  }

  /// Returns the offset of the first byte from `offset` that is not 0; the size of the file if there is none.
  mutating func firstNonzero(from offset: Int) throws(SyntaxError) -> Int {
    var offset = offset
    while offset < count {
      let piece = try bytes(at: offset, upTo: 1 << 16)
      if let index = piece.firstIndex(where: { $0 != 0 }) {
        return offset + index - piece.startIndex
      }
      offset += piece.count
    }
    return count
  }
}
