// SPDX-License-Identifier: MIT

/// A PNG whose samples follow from their places, in stored blocks of deflate: ISO/IEC 15948 and RFC 1950, 1951.
struct StoredPNG: Sendable {
  var width: Int
  var height: Int
  /// Of IHDR: 0 gray, 2 red, green and blue, 3 a palette, 4 gray and alpha, 6 all four.
  var colorType = 2
  var bitDepth = 8
  var isInterlaced = false
  /// How many bytes of samples a chunk holds.
  var chunkSize = 1000
  /// Changes the compressed stream before it is cut into chunks.
  var edit: @Sendable (inout [UInt8]) -> Void = { _ in }

  var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1 }

  /// What the file stores.
  func sample(_ column: Int, _ row: Int, _ channel: Int) -> Int {
    (column * 31 + row * 977 + channel * 409 + column * row) & (1 << bitDepth - 1)
  }

  /// The entries of the palette: red, green and blue.
  func entry(_ index: Int, _ channel: Int) -> Int { (index * 53 + channel * 101 + 7) & 255 }

  /// ISO/IEC 15948, 8.2: the first column and row of each pass, and the steps from there.
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  /// Rows of bytes, each after its filter type, which is "none".
  private var lines: [UInt8] {
    var bytes: [UInt8] = []
    for (left, top, across, down) in isInterlaced ? Self.passes : [(0, 0, 1, 1)] {
      guard left < width else { continue }
      for row in stride(from: top, to: height, by: down) {
        bytes.append(0)
        var (value, bits) = (0, 0)
        for column in stride(from: left, to: width, by: across) {
          for channel in 0..<channels {
            value = value << bitDepth | sample(column, row, channel)
            bits += bitDepth
            while bits >= 8 {
              bits -= 8
              bytes.append(UInt8(value >> bits))
              value &= 1 << bits - 1
            }
          }
        }
        if bits > 0 { bytes.append(UInt8(value << (8 - bits))) }
      }
    }
    return bytes
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR",
      Self.number(width) + Self.number(height)
        + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0])
    if colorType == 3 {
      let entries = 0..<1 << bitDepth
      file += Self.chunk(
        "PLTE", entries.flatMap { index in (0..<3).map { UInt8(entry(index, $0)) } })
    }
    var stream = compressed
    edit(&stream)
    for start in stride(from: 0, to: stream.count, by: chunkSize) {
      file += Self.chunk("IDAT", Array(stream[start..<min(start + chunkSize, stream.count)]))
    }
    return file + Self.chunk("IEND", [])
  }

  /// The lines in stored blocks, behind the header of zlib, with their checksum.
  private var compressed: [UInt8] {
    let lines = lines
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: lines.count, by: 65_535) {
      let part = lines[start..<min(start + 65_535, lines.count)]
      let size = [part.count & 255, part.count >> 8]
      stream.append(part.endIndex == lines.count ? 1 : 0)
      stream += (size + size.map { ~$0 & 255 }).map { UInt8($0) } + part
    }
    var (first, second) = (1, 0)
    for byte in lines {
      first = (first + Int(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return stream + Self.number(second << 16 | first)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + body
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in checked {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return number(body.count) + checked + number(Int(~sum))
  }
}
