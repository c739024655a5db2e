// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import TestSupport
import Testing

@Suite struct PNGEncoderTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    var kind: PNGSettings.Kind
    var bitDepth: Int
    var width = 67
    var height = 45
    var compression = 1

    var testDescription: String {
      "\(kind) \(bitDepth) bits \(width)x\(height) compression \(compression)"
    }

    var settings: PNGSettings {
      var settings = PNGSettings(width: width, height: height, bitDepth: bitDepth, kind: kind)
      settings.compression = compression
      return settings
    }

    /// FFmpeg's name for the samples.
    var pixelFormat: String {
      let names: [PNGSettings.Kind: String] = [
        .gray: "gray", .grayAlpha: "ya", .rgb: "rgb", .rgba: "rgba",
      ]
      let bits = kind == .gray || kind == .grayAlpha ? bitDepth : bitDepth * kind.channels
      let suffix =
        bitDepth == 16 ? "\(bits)be" : kind == .grayAlpha ? "8" : kind == .gray ? "" : "24"
      return (names[kind] ?? "") + (kind == .rgba && bitDepth == 8 ? "" : suffix)
    }
  }

  private static let shapes =
    PNGSettings.Kind.allCases.flatMap { kind in
      [8, 16].map { Shape(kind: kind, bitDepth: $0) }
    } + [
      Shape(kind: .rgb, bitDepth: 8, width: 1, height: 1),
      Shape(kind: .rgb, bitDepth: 16, width: 5, height: 1, compression: 9),
      Shape(kind: .rgba, bitDepth: 8, width: 300, height: 200, compression: 4),
      Shape(kind: .gray, bitDepth: 8, width: 300, height: 200, compression: 0),
    ]

  @Test(.enabled(if: isInstalled("ffmpeg")), arguments: shapes)
  func `it writes the samples that FFmpeg reads`(_ shape: Shape) throws {
    let (picture, samples) = Self.picture(shape.settings)
    let folder = try TestFolder()
    try folder.write(Self.encoded(picture, shape.settings), to: "a.png")
    try folder.run(
      "ffmpeg -nostdin -loglevel error -i a.png -f rawvideo -pix_fmt \(shape.pixelFormat) a.raw")
    #expect(try folder.read("a.raw") == samples)
    try folder.run("ffprobe -v error -show_entries stream=pix_fmt -of csv=p=0 a.png > name")
    #expect(
      try String(decoding: folder.read("name"), as: UTF8.self) == shape.pixelFormat + "\n")
  }

  @Test(.enabled(if: isInstalled("pngcheck")), arguments: shapes)
  func `it writes files without a fault`(_ shape: Shape) throws {
    let (picture, _) = Self.picture(shape.settings)
    let folder = try TestFolder()
    try folder.write(Self.encoded(picture, shape.settings), to: "a.png")
    try folder.run("pngcheck -q a.png")
  }

  @Test func `it gives out rows as they come`() throws {
    let settings = PNGSettings(width: 500, height: 600, bitDepth: 8, kind: .rgb)
    let (picture, _) = Self.picture(settings)
    let encoder = try PNGEncoder(settings)
    let start = try encoder.begin()
    #expect(start.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    var view = unsafe picture.view
    unsafe view.format.height = 300
    let first = try unsafe encoder.append(view).count
    unsafe view.planes[0].base += 300 * view.planes[0].stride
    let second = try unsafe encoder.append(view).count
    #expect(first > 100_000 && second > 100_000)
    #expect(try encoder.finish().isEmpty)
  }

  @Test(arguments: [(0, 1, 8, 1), (1, -1, 8, 1), (1, 1, 10, 1), (1, 1, 8, -1), (1, 1, 8, 10)])
  func `it refuses what no PNG can be`(
    _ width: Int, _ height: Int, _ bitDepth: Int, _ compression: Int
  ) {
    var settings = PNGSettings(width: width, height: height, bitDepth: bitDepth, kind: .rgb)
    settings.compression = compression
    let error = #expect(throws: MediaError.self) { try PNGEncoder(settings) }
    #expect(error?.kind == .misuse)
  }

  @Test func `it refuses rows of another shape, too many and too few`() throws {
    let settings = PNGSettings(width: 4, height: 4, bitDepth: 8, kind: .rgb)
    let encoder = try PNGEncoder(settings)
    _ = try encoder.begin()
    for format in [
      PictureFormat(width: 4, height: 4, chroma: .monochrome, bitDepth: 8),
      PictureFormat(width: 12, height: 4, chroma: .monochrome, bitDepth: 16),
      settings.bandFormat(rows: 5),
    ] {
      let picture = Picture(format)
      #expect(throws: MediaError.self) { try unsafe encoder.append(picture.view) }
    }
    #expect(throws: MediaError.self) { try encoder.finish() }
  }

  static func encoded(
    _ picture: Picture, _ settings: PNGSettings, _ chunks: PNGChunks = PNGChunks()
  ) throws -> [UInt8] {
    let encoder = try PNGEncoder(settings)
    return try unsafe encoder.begin(chunks) + encoder.append(picture.view) + encoder.finish()
  }

  /// A band and its samples, those of 16 bits with the upper byte first.
  static func picture(_ settings: PNGSettings) -> (picture: Picture, samples: [UInt8]) {
    let picture = Picture(settings.bandFormat(rows: settings.height))
    var samples: [UInt8] = []
    var state: UInt32 = 1
    for y in 0..<settings.height {
      for x in 0..<picture.format.width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let value = UInt16(truncatingIfNeeded: state >> 20) &+ UInt16(truncatingIfNeeded: 700 * x)
        let row = unsafe picture.plane(0) + y * picture.strides[0]
        if settings.bitDepth == 8 {
          unsafe row.storeBytes(of: UInt8(value >> 8), toByteOffset: x, as: UInt8.self)
          samples.append(UInt8(value >> 8))
        } else {
          unsafe row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
          samples += [UInt8(value >> 8), UInt8(value & 255)]
        }
      }
    }
    return (picture, samples)
  }
}
