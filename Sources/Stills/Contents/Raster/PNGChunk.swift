// SPDX-License-Identifier: MIT

internal import Bytes

/// A chunk of a PNG that is there to its end: ISO/IEC 15948, 5.3.
struct PNGChunk {
  let type: String
  /// All of it, from its length to its checksum.
  let whole: Extent

  /// What its type and its length say it holds.
  var body: Extent {
    Extent(whole.source, whole.range.lowerBound + 8..<whole.range.upperBound - 4)
  }

  /// Whether its type and its contents have the checksum that follows them.
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
    return written.reduce(0) { $0 << 8 | UInt32($1) } == ~remainder
  }

  /// What is left of each byte divided by the polynomial of annex D, the lowest bit first.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }
}
