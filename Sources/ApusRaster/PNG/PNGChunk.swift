// SPDX-License-Identifier: MIT

package import ApusBytes

/// The bytes before the first chunk: PNG (Third Edition), 5.2.
package struct PNGSignature: SyntaxStructure {
  package static let size = 8
  var signature: UInt64 = 0x8950_4e47_0d0a_1a0a

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "signature", &signature, as: .hex)
  }
}

/// The first fields of a chunk: PNG (Third Edition), 5.3.
package struct PNGChunkHeader: SyntaxStructure {
  package static let size = 8
  package var length: UInt32 = 0
  package var type: FourCC = "IEND"

  package init() {}

  /// Whether a picture cannot be read without the chunk: 5.4.
  package var isCritical: Bool { type.bytes.first.map { $0 & 0x20 == 0 } ?? false }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "length", &length)
    try v.u(32, "type", &type)
  }
}

/// The last field of a chunk: PNG (Third Edition), 5.3.
package struct PNGChecksum: SyntaxStructure {
  package static let size = 4
  var crc: UInt32 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "crc", &crc, as: .hex)
  }
}

/// A chunk of a PNG: PNG (Third Edition), 5.3.
package struct PNGChunk: Sendable {
  package let type: FourCC
  /// The range from the length to the checksum, which may be beyond the end of the data.
  package let range: Range<Int>
  private let source: any ByteSource
  private let end: Int

  /// Reads the header of the chunk at an offset of the source; `nil` if the data ends before it does.
  package init?(in data: Extent, at start: Int) throws(SyntaxError) {
    guard data.range.upperBound - start >= PNGChunkHeader.size else { return nil }
    var reader = SyntaxReader(data.source, range: start..<start + PNGChunkHeader.size)
    var header = PNGChunkHeader()
    try header.syntax(&reader)
    type = header.type
    range = start..<reader.position + Int(header.length) + PNGChecksum.size
    (source, end) = (data.source, data.range.upperBound)
  }

  /// The type as text.
  package var name: String { String(decoding: type.bytes, as: UTF8.self) }

  /// Whether the data contains the whole chunk, or all but its checksum.
  package var isComplete: Bool { range.upperBound <= end }
  package var hasBody: Bool { range.upperBound - PNGChecksum.size <= end }

  /// The whole chunk, and its content without length, type and checksum, as far as the data contains them.
  package var whole: Extent { extent(range) }
  package var header: Extent { whole.prefix(PNGChunkHeader.size) }
  package var body: Extent {
    extent(range.lowerBound + PNGChunkHeader.size..<range.upperBound - PNGChecksum.size)
  }
  package var checksum: Extent { extent(range.upperBound - PNGChecksum.size..<range.upperBound) }

  private func extent(_ range: Range<Int>) -> Extent {
    Extent(source, min(range.lowerBound, end)..<min(range.upperBound, end))
  }

  /// Returns whether the checksum matches the chunk's type and data.
  package func isIntact() throws(SyntaxError) -> Bool {
    var remainder = UInt32.max
    // The length does not count.
    let start = range.lowerBound + 4
    try extent(start..<checksum.range.lowerBound).forEachPiece { piece in
      for index in piece.indices {
        let place = UInt8(truncatingIfNeeded: remainder) ^ piece[index]
        remainder = remainder >> 8 ^ Self.remainders[Int(place)]
      }
    }
    return PNGChecksum(reading: try checksum.bytes())?.crc == ~remainder
  }

  /// The table for the checksum: the remainder of each byte divided by the polynomial of annex D, lowest bit first.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }
}
