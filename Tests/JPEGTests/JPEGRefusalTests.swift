// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import Testing

@Suite struct JPEGRefusalTests {
  private static let settings = JPEGSettings(width: 64, height: 64, chroma: .yuv420)

  @Test(arguments: [
    (0, 10, 90, MediaError.Kind.misuse), (10, 0, 90, .misuse), (-1, 10, 90, .misuse),
    (10, 10, 0, .misuse), (10, 10, 101, .misuse), (65_501, 10, 90, .limit),
    (10, 70_000, 90, .limit),
  ])
  func `it refuses sizes and qualities that no JPEG has`(
    _ width: Int, _ height: Int, _ quality: Int, _ kind: MediaError.Kind
  ) throws {
    let settings = JPEGSettings(
      width: width, height: height, chroma: .yuv420, quality: quality)
    let errors = [
      #expect(throws: MediaError.self) { try JPEGBandEncoder(settings) },
      #expect(throws: MediaError.self) { try JPEGWholeEncoder(settings) },
      #expect(throws: MediaError.self) { try settings.header() },
    ]
    #expect(errors.allSatisfy { $0?.kind == kind })
    if kind == .limit { #expect(errors[0]?.message.contains("65500") == true) }
  }

  @Test(arguments: [-16, 0, 8, 24])
  func `it refuses bands that are no whole units`(_ height: Int) {
    var settings = Self.settings
    #expect(throws: MediaError.self) { try settings.cut(intoBandsOf: height) }
  }

  @Test(arguments: [
    // Not at the start of an interval, too much, too little, before the first row.
    (16, 32), (32, 48), (0, 16), (-32, 32), (Int.max - 31, 32),
  ])
  func `it refuses bands that do not lie where intervals do`(_ top: Int, _ rows: Int) throws {
    var settings = Self.settings
    try settings.cut(intoBandsOf: 32)
    let encoder = try JPEGBandEncoder(settings)
    let picture = planes(64, rows, .yuv420)
    #expect(throws: MediaError.self) { try unsafe encoder.encode(picture.view, at: top) }
    // It goes on working.
    let band = planes(64, 32, .yuv420)
    #expect(try unsafe encoder.encode(band.view, at: 32).starts(with: [0xFF, 0xD0]))
  }

  @Test(arguments: [
    PictureFormat(width: 63, height: 64, chroma: .yuv420, bitDepth: 8),
    PictureFormat(width: 64, height: 64, chroma: .yuv422, bitDepth: 8),
    PictureFormat(width: 64, height: 64, chroma: .monochrome, bitDepth: 8),
    PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 10),
  ])
  func `it refuses planes of another shape`(_ format: PictureFormat) throws {
    let picture = Picture(format)
    let bands = try JPEGBandEncoder(Self.settings)
    #expect(throws: MediaError.self) { try unsafe bands.encode(picture.view, at: 0) }
    let whole = try JPEGWholeEncoder(Self.settings)
    _ = try whole.begin()
    #expect(throws: MediaError.self) { try unsafe whole.append(picture.view) }
  }

  @Test func `it refuses what only a whole picture can be`() {
    for path in [\JPEGSettings.isProgressive, \.isOptimized] {
      var settings = Self.settings
      settings[keyPath: path] = true
      #expect(throws: MediaError.self) { try JPEGBandEncoder(settings) }
      #expect(throws: MediaError.self) { try settings.header() }
    }
  }

  @Test func `it refuses an interval of too many units`() throws {
    var settings = JPEGSettings(width: 9000, height: 2000, chroma: .yuv444)
    #expect(settings.mostRestartRows == 58)
    settings.restartRows = 59
    #expect(throws: MediaError.self) { try JPEGBandEncoder(settings) }
  }

  @Test func `it refuses to end early and to take too much`() throws {
    let encoder = try JPEGWholeEncoder(Self.settings)
    _ = try encoder.begin()
    let half = planes(64, 32, .yuv420)
    let odd = planes(64, 20, .yuv420)
    _ = try unsafe encoder.append(half.view)
    #expect(throws: MediaError.self) { try encoder.finish() }
    #expect(throws: MediaError.self) { try unsafe encoder.append(odd.view) }
    _ = try unsafe encoder.append(half.view)
    #expect(throws: MediaError.self) { try unsafe encoder.append(half.view) }
    #expect(try encoder.finish().suffix(2) == JPEGSettings.trailer)
  }
}
