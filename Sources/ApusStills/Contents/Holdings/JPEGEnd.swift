// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The end of the picture of a JPEG: after its EOI marker (ITU-T T.81, B.1.1.2 and B.2.1).
enum JPEGEnd {
  private static let piece = 1 << 18

  /// Returns the offset in the source after the marker; the end of the data if there is no such marker.
  static func find(in data: Extent) throws(SyntaxError) -> Int {
    var place = data.range.lowerBound + 2
    let end = data.range.upperBound
    while place + 2 <= end {
      let bytes = try data.source.bytes(in: place..<min(place + piece, end))
      var index = 0
      scan: while index + 1 < bytes.count {
        guard bytes[index] == 0xFF else {
          index += 1
          continue
        }
        switch bytes[index + 1] {
        case 0xD9: return place + index + 2
        case 0xFF: index += 1
        // Within coded data a zero is stuffed after 0xFF; these markers have no parameters.
        case 0, 0x01, 0xD0...0xD8: index += 2
        default:
          guard index + 3 < bytes.count else { break scan }
          index += 2 + Int(bigEndianBytes: bytes[index + 2..<index + 4])
        }
      }
      // A marker whose length is not in the buffer yet is read again with more bytes.
      guard index > 0 else { return end }
      place += index
    }
    return end
  }
}
