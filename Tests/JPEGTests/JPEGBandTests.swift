// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import TestSupport
import Testing

/// A JPEG and the height of its bands.
struct BandCase: CustomTestStringConvertible, Sendable {
  var width: Int
  var height: Int
  var chroma: Chroma
  var quality = 90
  var bandHeight: Int
  /// MCU rows in an interval where a band is several.
  var restartRows: Int?

  var testDescription: String {
    "\(width)x\(height) \(chroma.name) quality \(quality) by \(bandHeight)"
  }

  func settings() throws -> JPEGSettings {
    var settings = JPEGSettings(width: width, height: height, chroma: chroma, quality: quality)
    try settings.cut(intoBandsOf: bandHeight)
    settings.restartRows = restartRows ?? settings.restartRows
    return settings
  }

  /// Bands by two encoders in turn, the last band first.
  func bands(of picture: Picture) throws -> [UInt8] {
    let settings = try settings()
    let encoders = try [JPEGBandEncoder(settings), JPEGBandEncoder(settings)]
    var bands: [[UInt8]] = []
    for (index, top) in stride(from: 0, to: height, by: bandHeight).reversed().enumerated() {
      let view = unsafe picture.band(top..<min(top + bandHeight, height))
      bands.append(try unsafe encoders[index % 2].encode(view, at: top))
    }
    return try ([settings.header()] + bands.reversed() + [JPEGSettings.trailer]).flatMap { $0 }
  }

  static let all: [BandCase] =
    Chroma.allCases.flatMap { chroma in
      [(1, 1, 16), (17, 13, 16), (8, 16, 16), (67, 45, 16), (252, 189, 64), (250, 193, 64)].map {
        BandCase(width: $0.0, height: $0.1, chroma: chroma, bandHeight: $0.2)
      }
    }
    + [1, 10, 49, 50, 51, 75, 95, 100].map {
      BandCase(width: 67, height: 45, chroma: .yuv420, quality: $0, bandHeight: 16)
    } + [
      // More than eight intervals, so that the numbers of the markers begin anew.
      BandCase(width: 40, height: 200, chroma: .yuv420, bandHeight: 16),
      BandCase(width: 40, height: 200, chroma: .yuv444, bandHeight: 48, restartRows: 2),
      BandCase(width: 40, height: 120, chroma: .yuv422, bandHeight: 112, restartRows: 1),
    ]
}

@Suite struct JPEGBandTests {
  @Test(arguments: BandCase.all)
  func `it writes what libjpeg writes for the whole picture`(_ row: BandCase) throws {
    let picture = planes(row.width, row.height, row.chroma)
    let settings = try row.settings()
    let encoder = try JPEGWholeEncoder(settings)
    let whole =
      try unsafe encoder.begin() + encoder.append(picture.view) + encoder.finish()
    #expect(try row.bands(of: picture) == whole)
    let header = try JPEGHeader(whole)
    #expect((header.width, header.height, header.chroma) == (row.width, row.height, row.chroma))
    #expect((header.restartInterval > 0) == (row.bandHeight < row.height))
  }

  /// Levels that take many bits, and in chroma long runs of zeros.
  @Test(arguments: Chroma.allCases, [1, 30, 75, 90, 98, 100])
  func `it writes what libjpeg writes of black and white at random`(
    _ chroma: Chroma, _ quality: Int
  ) throws {
    for (width, height) in [(67, 45), (96, 64)] {
      let row = BandCase(
        width: width, height: height, chroma: chroma, quality: quality, bandHeight: 16)
      let picture = planes(width, height, chroma)
      var state: UInt32 = 1
      for plane in 0..<picture.format.planeCount {
        // Single samples, and areas of eight.
        let side = plane == 1 ? 8 : 1
        for y in 0..<picture.format.height(ofPlane: plane) {
          for x in 0..<picture.format.width(ofPlane: plane) {
            let place = y * picture.strides[plane] + x
            if x % side == 0 { state = state &* 1_664_525 &+ 1_013_904_223 }
            unsafe picture.plane(plane).storeBytes(
              of: state >> 31 == 0 ? 0 : 255, toByteOffset: place, as: UInt8.self)
          }
        }
      }
      let encoder = try JPEGWholeEncoder(try row.settings())
      let whole =
        try unsafe encoder.begin() + encoder.append(picture.view) + encoder.finish()
      #expect(try row.bands(of: picture) == whole, "\(width) x \(height)")
    }
  }

  @Test(.enabled(if: isInstalled("cjpeg")), arguments: BandCase.all)
  func `it writes the bytes that cjpeg writes for luma`(_ row: BandCase) throws {
    var row = row
    row.chroma = .monochrome
    let picture = planes(row.width, row.height, .monochrome)
    let folder = try TestFolder()
    let header = Array("P5\n\(row.width) \(row.height)\n255\n".utf8)
    try folder.write(unsafe header + picture.view.samples(0), to: "a.pgm")
    let restart = try row.settings().restartRows
    try folder.run(
      "cjpeg -grayscale -baseline -quality \(row.quality) -restart \(restart) -outfile a.jpg a.pgm")
    #expect(try row.bands(of: picture) == folder.read("a.jpg"))
  }

  @Test(.enabled(if: isInstalled("jpegtran")), arguments: BandCase.all)
  func `it writes the bytes that jpegtran makes of a JPEG without restarts`(_ row: BandCase) throws
  {
    let picture = planes(row.width, row.height, row.chroma)
    let encoder = try JPEGWholeEncoder(
      JPEGSettings(
        width: row.width, height: row.height, chroma: row.chroma, quality: row.quality))
    let folder = try TestFolder()
    let whole =
      try unsafe encoder.begin() + encoder.append(picture.view) + encoder.finish()
    try folder.write(whole, to: "a.jpg")
    let restart = try row.settings().restartRows
    try folder.run("jpegtran -restart \(restart) -outfile b.jpg a.jpg")
    #expect(try row.bands(of: picture) == folder.read("b.jpg"))
  }

  @Test(.enabled(if: isInstalled("ffmpeg")), arguments: Chroma.allCases)
  func `it keeps every plane close to its samples, as FFmpeg decodes it`(_ chroma: Chroma) throws {
    let row = BandCase(width: 66, height: 46, chroma: chroma, quality: 100, bandHeight: 16)
    let picture = planes(row.width, row.height, chroma)
    let folder = try TestFolder()
    try folder.write(row.bands(of: picture), to: "a.jpg")
    try folder.run("ffmpeg -nostdin -loglevel error -i a.jpg -f rawvideo a.yuv")
    let decoded = try folder.read("a.yuv")
    let samples = unsafe Array(picture.view.samples.joined())
    try #require(decoded.count == samples.count)
    let worst = zip(decoded, samples).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(worst) <= 3)
  }

  @Test(arguments: [
    // 1,125 units in a row, so that an interval holds 58 rows.
    (9000, Chroma.yuv444, 512, 32), (9000, .yuv444, 464, 58), (9000, .yuv444, 472, 1),
    (9000, .yuv420, 512, 32), (1000, .yuv420, 1024, 64), (65_500, .monochrome, 64, 8),
    (65_500, .yuv422, 640, 16),
  ])
  func `it makes bands one interval, or several where they are too large`(
    _ width: Int, _ chroma: Chroma, _ bandHeight: Int, _ rows: Int
  ) throws {
    var settings = JPEGSettings(width: width, height: 5000, chroma: chroma)
    try settings.cut(intoBandsOf: bandHeight)
    #expect(settings.restartRows == rows)
  }

  @Test func `it puts segments behind the one of JFIF, or behind SOI`() throws {
    let segment: [UInt8] = [0xFF, 0xE1, 0, 4, 1, 2]
    var settings = JPEGSettings(width: 20, height: 20, chroma: .yuv420)
    let encoder = try JPEGWholeEncoder(settings)
    var bytes = try settings.header(segments: [segment, segment])
    #expect(try JPEGHeader(bytes).segments.map(\.marker).prefix(3) == [0xE0, 0xE1, 0xE1])
    #expect(try bytes.starts(with: encoder.begin(segments: [segment, segment])))
    settings.hasJFIF = false
    bytes = try settings.header(segments: [segment])
    let header = try JPEGHeader(bytes)
    #expect(header.segments.map(\.marker).prefix(2) == [0xE1, 0xDB])
    #expect(Array(bytes[header.segments[0].body]) == [1, 2])
    #expect(header.scanStart == bytes.count)
  }
}
