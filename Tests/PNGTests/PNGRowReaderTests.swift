// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import Testing

@Suite struct PNGRowReaderTests {
  static let pictures = [
    StoredPNG(width: 37, height: 29),
    StoredPNG(width: 300, height: 130, chunkSize: 100_000),
    StoredPNG(width: 20, height: 33, bitDepth: 16),
    StoredPNG(width: 41, height: 19, colorType: 0, bitDepth: 1),
    StoredPNG(width: 41, height: 19, colorType: 0, bitDepth: 4, chunkSize: 7),
    StoredPNG(width: 41, height: 19, colorType: 0),
    StoredPNG(width: 13, height: 21, colorType: 0, bitDepth: 16),
    StoredPNG(width: 41, height: 19, colorType: 3, bitDepth: 2),
    StoredPNG(width: 41, height: 19, colorType: 3),
    StoredPNG(width: 17, height: 23, colorType: 4),
    StoredPNG(width: 17, height: 23, colorType: 6),
    StoredPNG(width: 17, height: 23, colorType: 6, bitDepth: 16),
    StoredPNG(width: 1, height: 1),
  ]

  @Test(
    arguments: pictures, [false, true])
  func `it decodes the samples of the file, however many rows at a time and bytes in a piece`(
    _ picture: StoredPNG, isInterlaced: Bool
  ) throws {
    var picture = picture
    picture.isInterlaced = isInterlaced
    let bytes = picture.bytes
    for alpha in [false, true] {
      let expected = picture.planes(alpha: alpha)
      for (rows, piece) in [(1, 1), (7, 100), (64, 1 << 16), (picture.height, 4096)] {
        let decoded = try Self.planes(bytes, alpha: alpha, rows: rows, piece: piece)
        #expect(decoded == expected, "\(rows) rows at a time of \(piece) bytes")
      }
    }
  }

  @Test(arguments: [1, 16, 29])
  func `it hands over the rows before a cut, and fails with those after it`(share: Int) throws {
    let picture = StoredPNG(width: 90, height: 200, colorType: 0, chunkSize: 500)
    let bytes = picture.bytes
    let cut = Array(bytes[..<(bytes.count * share / 30)])
    var rows = 0
    let error = #expect(throws: MediaError.self) {
      let reader = try PNGRowReader(alpha: false, Self.pieces(of: cut, 100))
      while rows < 200 { try unsafe reader.decode(rows: 10) { _ in rows += 10 } }
    }
    #expect(error?.kind == .incomplete)
    // A row takes 91 bytes, and more is stored beside them.
    #expect(rows <= cut.count / 91)
    #expect(rows >= 200 * (share - 2) / 30)
  }

  @Test
  func `it keeps the last rows to itself where the end of the file is missing or damaged`() throws {
    let picture = StoredPNG(width: 5, height: 4, colorType: 0)
    let bytes = picture.bytes
    // The checksum of the chunk with the samples stands before IEND: a length, a type and a checksum.
    var files = [13, 9, 5, 1].map { fromEnd in
      var damaged = bytes
      damaged[bytes.count - fromEnd] ^= 1
      return damaged
    }
    files += [13, 9, 5].map { Array(bytes.dropLast($0)) }
    for file in files {
      var rows = 0
      #expect(throws: MediaError.self) {
        let reader = try PNGRowReader(alpha: false, Self.pieces(of: file, 1 << 16))
        while rows < 4 { try unsafe reader.decode(rows: 2) { _ in rows += 2 } }
      }
      #expect(rows < 4)
    }
  }

  /// The checksum of the samples ends the compressed stream: RFC 1950, 2.2.
  @Test(arguments: [false, true], [3, 1000])
  func `it reads the compressed stream to its end`(isInterlaced: Bool, chunkSize: Int) throws {
    typealias Edit = @Sendable (inout [UInt8]) -> Void
    let edits: [(Edit, MediaError.Kind)] = [
      ({ $0[$0.count - 1] ^= 1 }, .corrupt), ({ $0[$0.count - 4] ^= 0x80 }, .corrupt),
      ({ $0.removeLast(4) }, .incomplete), ({ $0.removeLast() }, .incomplete),
      // A block of another kind than there is.
      ({ $0[2] = 7 }, .corrupt),
    ]
    var picture = StoredPNG(width: 5, height: 4, colorType: 0, chunkSize: chunkSize)
    picture.isInterlaced = isInterlaced
    _ = try Self.planes(picture.bytes, alpha: false, rows: 2, piece: 10)
    for (edit, kind) in edits {
      picture.edit = edit
      let error = #expect(throws: MediaError.self) {
        try Self.planes(picture.bytes, alpha: false, rows: 2, piece: 10)
      }
      #expect(error?.kind == kind)
    }
    // Bytes after the end of the stream are not part of it.
    picture.edit = { $0 += [1, 2, 3] }
    _ = try Self.planes(picture.bytes, alpha: false, rows: 2, piece: 10)
  }

  @Test func `it reads no endless samples after the last row`() throws {
    var picture = StoredPNG(width: 1000, height: 1100, colorType: 0, chunkSize: 1 << 20)
    let bytes = picture.bytes
    picture.height = 3
    // Three rows are announced, and 1100 are there.
    let header = Array(picture.bytes.prefix(33))
    let error = #expect(throws: MediaError.self) {
      try Self.planes(header + bytes[33...], alpha: false, rows: 3, piece: 1 << 16)
    }
    #expect(error?.kind == .corrupt)
  }

  @Test
  func `it passes on why there are no more bytes`() throws {
    let bytes = StoredPNG(width: 5, height: 400).bytes
    var isFirst = true
    #expect(throws: MediaError(.io, "the disk is gone")) {
      let reader = try PNGRowReader(alpha: false) { () throws(MediaError) in
        guard isFirst else { throw MediaError(.io, "the disk is gone") }
        isFirst = false
        return Array(bytes[..<200])
      }
      try unsafe reader.decode(rows: 400) { _ in }
    }
  }

  @Test(arguments: [0, -1, 5])
  func `it has no rows but those of the picture`(count: Int) throws {
    let bytes = StoredPNG(width: 5, height: 4).bytes
    let reader = try PNGRowReader(alpha: false, Self.pieces(of: bytes, 1 << 16))
    #expect(throws: MediaError.self) { try unsafe reader.decode(rows: count) { _ in } }
  }

  private static func pieces(of bytes: [UInt8], _ size: Int)
    -> () throws(MediaError) -> [UInt8]
  {
    var rest = bytes[...]
    return { () throws(MediaError) in
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
  }

  private static func planes(_ bytes: [UInt8], alpha: Bool, rows: Int, piece: Int) throws
    -> [[Int]]
  {
    let reader = try PNGRowReader(alpha: alpha, pieces(of: bytes, piece))
    var planes = Array(repeating: [Int](), count: reader.format.planeCount)
    while reader.row < reader.format.height {
      let count = min(rows, reader.format.height - reader.row)
      try unsafe reader.decode(rows: count) { view in
        for index in unsafe view.planes.indices {
          let plane = unsafe view.planes[index]
          for row in unsafe 0..<view.format.height(ofPlane: index) {
            let line = unsafe plane.base + row * plane.stride
            for column in unsafe 0..<view.format.width(ofPlane: index) {
              planes[index].append(
                reader.format.bitDepth == 8
                  ? Int(unsafe line.load(fromByteOffset: column, as: UInt8.self))
                  : Int(unsafe line.load(fromByteOffset: 2 * column, as: UInt16.self)))
            }
          }
        }
      }
    }
    return planes
  }
}

extension StoredPNG: CustomTestStringConvertible {
  var testDescription: String { "type \(colorType), \(bitDepth) bits, \(width) × \(height)" }

  /// The planes that a decoder hands over: green, blue and red, or gray, or alpha.
  fileprivate func planes(alpha: Bool) -> [[Int]] {
    let whole = bitDepth == 16 ? 65_535 : 255
    let isGray = colorType == 0 || colorType == 4
    let order = alpha ? [channels - 1] : isGray ? [0] : [1, 2, 0]
    return order.map { channel in
      (0..<height).flatMap { row in
        (0..<width).map { column in
          if alpha { return colorType < 4 ? whole : sample(column, row, channel) }
          guard colorType == 3 else {
            // Fewer bits are spread over all codes.
            return sample(column, row, channel) * whole / (1 << bitDepth - 1)
          }
          return entry(sample(column, row, 0), channel)
        }
      }
    }
  }
}
