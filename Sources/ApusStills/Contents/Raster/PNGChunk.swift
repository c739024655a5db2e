// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A complete chunk of a PNG: ISO/IEC 15948, 5.3.
struct PNGChunk {
  let type: String
  /// The whole chunk, from its length to its checksum.
  let whole: Extent

  /// The chunk's data, without length, type and checksum.
  var body: Extent {
    Extent(whole.source, whole.range.lowerBound + 8..<whole.range.upperBound - 4)
  }

  /// Returns whether the checksum matches the chunk's type and data.
  func isIntact() throws(SyntaxError) -> Bool {
    var remainder = UInt32.max
    try Extent(whole.source, whole.range.lowerBound + 4..<whole.range.upperBound - 4)
      .forEachPiece { piece in
        for index in piece.indices {
          let place = UInt8(truncatingIfNeeded: remainder) ^ piece[index]
          remainder = remainder >> 8 ^ Self.remainders[Int(place)]
        }
      }
    let written = try Extent(whole.source, whole.range.upperBound - 4..<whole.range.upperBound)
      .bytes()
    return UInt32(bigEndianBytes: written) == ~remainder
  }

  /// The table for the checksum: the remainder of each byte divided by the polynomial of annex D, lowest bit first.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }
}
