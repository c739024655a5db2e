// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import TestSupport
import Testing

@Suite struct PNGDecoderTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    /// Made by Pillow.
    var png: String
    var bitDepth = 8
    /// Planes of green, blue and red, or of grey.
    var planes: [[Int]]
    var alpha: [Int]
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "red, green, blue and alpha",
      png: """
        89504e470d0a1a0a0000000d494844520000000200000002080600000072b60d240000001a49444154789c63646462\
        6631b472f661f8f5fbcf5f4e0ef6ff002697060b0eafaf1e0000000049454e44ae426082
        """, planes: [[2, 60, 251, 8], [3, 70, 252, 7], [1, 50, 250, 9]], alpha: [4, 80, 253, 255]),
    Row(
      name: "16 bits of grey",
      png: """
        89504e470d0a1a0a0000000d49484452000000030000000110000000006e1b972b0000000f49444154789c6360601032\
        f9ff1f0003e80245d58f48480000000049454e44ae426082
        """, bitDepth: 16, planes: [[0, 4660, 65535]], alpha: [65535, 65535, 65535]),
    Row(
      name: "a palette with alpha",
      png: """
        89504e470d0a1a0a0000000d4948445200000002000000010103000000ceecedc900000006504c54450a141ec86400bf\
        77e21c0000000274524e5307ff14d0b4720000000a49444154789c636800000082008177cd72b60000000049454e44ae\
        426082
        """, planes: [[100, 20], [0, 30], [200, 10]], alpha: [255, 7]),
    Row(
      name: "black and white",
      png: """
        89504e470d0a1a0a0000000d4948445200000003000000010100000000339b29190000000a49444154789c6358000000\
        a200a1dc8db1cc0000000049454e44ae426082
        """, planes: [[255, 0, 255]], alpha: [255, 255, 255]),
  ]

  @Test(arguments: rows)
  func `it decodes samples and alpha`(_ row: Row) throws {
    let bytes = hex(row.png)
    #expect(try Self.planes(bytes, .png, row.bitDepth) == row.planes)
    #expect(try Self.planes(bytes, .pngAlpha, row.bitDepth) == [row.alpha])
  }

  @Test(arguments: [40, 60, 70])
  func `it refuses one that is cut off or changed`(_ place: Int) throws {
    let bytes = hex(Self.rows[0].png)
    #expect(throws: MediaError.self) { try Self.planes(Array(bytes[..<place]), .png, 8) }
    var changed = bytes
    changed[place] ^= 0x10
    #expect(throws: MediaError.self) { try Self.planes(changed, .png, 8) }
  }

  private static func planes(_ bytes: [UInt8], _ codec: PictureCodec, _ depth: Int) throws
    -> [[Int]]
  {
    var found: [[Int]] = []
    try unsafe PNGDecoder().decode(CodedPicture(codec: codec, samples: [bytes])) { view in
      #expect(unsafe view.format.bitDepth == depth)
      for index in unsafe view.planes.indices {
        let plane = unsafe view.planes[index]
        var samples: [Int] = []
        for row in unsafe 0..<view.format.height(ofPlane: index) {
          let line = unsafe plane.base + row * plane.stride
          for column in unsafe 0..<view.format.width(ofPlane: index) {
            samples.append(
              depth == 8
                ? Int(unsafe line.load(fromByteOffset: column, as: UInt8.self))
                : Int(unsafe line.load(fromByteOffset: 2 * column, as: UInt16.self)))
          }
        }
        found.append(samples)
      }
    }
    return found
  }
}
