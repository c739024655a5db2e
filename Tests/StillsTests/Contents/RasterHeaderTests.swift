// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import Testing

@testable import ApusStills

@Suite struct RasterHeaderTests {
  static let pixmaps: [(text: String, width: Int, height: Int, largest: Int, bytes: Int)] = [
    ("P6\n2 3\n255\n", 2, 3, 255, 18), ("P5 4 1 65535\n", 4, 1, 65535, 8),
    ("P6\n# 9 9\n2\n#\n 3 100\t", 2, 3, 100, 18),
  ]

  @Test(arguments: pixmaps)
  func `it reads the header of a pixmap`(
    _ text: String, _ width: Int, _ height: Int, _ largest: Int, _ bytes: Int
  ) throws {
    let data = Extent(Array(text.utf8) + Array(repeating: 7, count: bytes))
    let header = try RasterHeader(pixmap: data)
    #expect((header.raster.format.width, header.raster.format.height) == (width, height))
    #expect(header.raster.largest == largest)
    #expect(header.raster.format.bitDepth == (largest > 255 ? 16 : 8))
    #expect(try header.data.bytes() == Array(repeating: 7, count: bytes))
  }

  static let streams: [(words: String, chroma: Chroma, depth: Int, isFull: Bool)] = [
    ("W4 H2 F25:1 Ip A1:1", .yuv420, 8, false), ("W4 H2 C422 XCOLORRANGE=FULL", .yuv422, 8, true),
    ("H2 W4 C444p10 F1:1", .yuv444, 10, false), ("W4 H2 Cmono12", .monochrome, 12, false),
    ("W4 H2 C420paldv", .yuv420, 8, false),
  ]

  @Test(arguments: streams)
  func `it reads the header of YUV4MPEG2, and finds frames`(
    _ words: String, _ chroma: Chroma, _ depth: Int, _ isFull: Bool
  ) throws {
    let format = PictureFormat(width: 4, height: 2, chroma: chroma, bitDepth: depth)
    let count = Raster(format, .planes, largest: 1 << depth - 1).byteCount
    var bytes = Array("YUV4MPEG2 \(words)\n".utf8)
    for frame in 0..<3 {
      bytes += Array("FRAME\(frame == 1 ? " Ip" : "")\n".utf8)
      bytes += Array(repeating: UInt8(frame), count: count)
    }
    for frame in 0..<3 {
      let header = try RasterHeader(y4m: Extent(bytes), frame: frame)
      #expect(header.raster.format == format)
      #expect(header.colour.isFullRange == isFull)
      #expect(try header.data.bytes() == Array(repeating: UInt8(frame), count: count))
    }
    #expect(throws: SyntaxError.self) { try RasterHeader(y4m: Extent(bytes), frame: 3) }
  }

  @Test(
    arguments: [
      ("420", ChromaSite.centre), ("420jpeg", .centre), ("420mpeg2", .left),
      ("420paldv", .topLeft), ("420p10", .left), ("422", .left),
    ])
  func `it finds where colour samples lie by the name of their form`(
    _ name: String, _ site: ChromaSite
  ) throws {
    let bytes = Array("YUV4MPEG2 W2 H2 C\(name)\nFRAME\n".utf8) + Array(repeating: 0, count: 16)
    #expect(try RasterHeader(y4m: Extent(bytes), frame: 0).site == site)
  }

  @Test(
    arguments: [
      "P6\n2 3\n", "P6\n0 3\n255\n", "P6\n2 3\n0\n", "P6\n2 3\n65536\n", "P6\n2 x\n255\n",
      "P6\n2 3\n255\n1234", "P6\n9999999999999999999 3\n255\n", "P6\n1000000 1000000\n255\n",
    ])
  func `it refuses what it cannot be`(_ text: String) {
    #expect(throws: SyntaxError.self) { try RasterHeader(pixmap: Extent(Array(text.utf8))) }
  }

  @Test(
    arguments: ["W4", "W4 H0", "W4 H2 C411", "W4 H2 C444alpha", "W-4 H2", "W4 H2 C420p99"])
  func `it refuses streams that it does not know`(_ words: String) {
    let bytes = Array("YUV4MPEG2 \(words)\nFRAME\n".utf8) + Array(repeating: 0, count: 100)
    #expect(throws: SyntaxError.self) { try RasterHeader(y4m: Extent(bytes), frame: 0) }
  }

  @Test(arguments: [
    ("A1:1 Ip", []), ("A0:0 I?", []), ("", []), ("A128:117", ["samples-not-square"]),
    ("It A2:1", ["samples-not-square", "interlaced"]), ("Im", ["interlaced"]),
  ])
  func `it says of YUV4MPEG2 what a picture loses`(_ words: String, _ rules: [String]) throws {
    let bytes = Array("YUV4MPEG2 W2 H2 Cmono \(words)\nFRAME\nabcd".utf8)
    #expect(try RasterHeader(y4m: Extent(bytes), frame: 0).findings.map(\.rule) == rules)
  }
}
