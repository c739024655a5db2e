// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@Suite struct JPEGDecoderTests {
  private static let files: [(name: String, chroma: Chroma?, width: Int, height: Int)] = [
    ("420.jpg", .yuv420, 67, 45), ("422.jpg", .yuv422, 67, 45), ("444.jpg", .yuv444, 67, 45),
    ("440.jpg", nil, 32, 67), ("gray.jpg", .monochrome, 67, 45),
    ("progressive.jpg", .yuv420, 67, 45), ("arithmetic.jpg", .yuv420, 67, 45),
  ]

  @Test(.enabled(if: isInstalled("djpeg")), arguments: files.map(\.name))
  func `it decodes the luma that djpeg decodes`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let folder = try TestFolder()
    try folder.write(bytes, to: "a.jpg")
    try folder.run("djpeg -grayscale -outfile a.pgm a.jpg")
    let (format, samples) = try decoded(bytes)
    let header = Array("P5\n\(format.width) \(format.height)\n255\n".utf8)
    #expect(try header + samples[0] == folder.read("a.pgm"))
  }

  /// FFmpeg's transform is not bit exact with libjpeg's.
  @Test(
    .enabled(if: isInstalled("ffmpeg")),
    arguments: files.map(\.name).filter { !$0.hasPrefix("arith") })
  func `it decodes the planes that FFmpeg decodes`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let folder = try TestFolder()
    try folder.write(bytes, to: "a.jpg")
    let (format, samples) = try decoded(bytes)
    // 4:4:0 is interpolated to 4:4:4, in another way than libjpeg does it: luma only.
    let filter = name == "440.jpg" ? "-vf extractplanes=y" : ""
    try folder.run("ffmpeg -nostdin -loglevel error -i a.jpg \(filter) -f rawvideo a.yuv")
    let planes = name == "440.jpg" ? 1 : format.planeCount
    let mine = samples.prefix(planes).joined()
    let theirs = try folder.read("a.yuv")
    try #require(mine.count == theirs.count)
    #expect(try #require(zip(mine, theirs).map { abs(Int($0) - Int($1)) }.max()) <= 2)
  }

  @Test(arguments: files.map(\.name))
  func `it says what a file holds`(_ name: String) throws {
    let row = try #require(Self.files.first { $0.name == name })
    let bytes = try Fixture.bytes(name)
    let (format, _) = try decoded(bytes)
    #expect((format.width, format.height) == (row.width, row.height))
    #expect((format.chroma, format.bitDepth) == (row.chroma ?? .yuv444, 8))
    let header = try JPEGHeader(bytes)
    #expect((header.width, header.height, header.bitDepth) == (row.width, row.height, 8))
    #expect(header.chroma == row.chroma)
    let check = try check(bytes, piece: 100)
    #expect((check.width, check.height, check.chroma) == (row.width, row.height, row.chroma))
    #expect(check.isProgressive == (name == "progressive.jpg"))
    #expect(header.isProgressive == check.isProgressive)
    #expect((header.restartInterval > 0) == (name == "arithmetic.jpg"))
  }

  @Test func `it takes what pictures have in common from the configuration`() throws {
    let bytes = try Fixture.bytes("420.jpg")
    let decoder = try JPEGDecoder()
    let parts = Decoded(
      Array(bytes[300...]), configuration: Array(bytes[..<300]), by: decoder)
    #expect(try parts.samples == decoded(bytes).samples)
    // Tables of one JPEG are not there for the next.
    let header = try JPEGHeader(bytes)
    let tables = try #require(header.segments.first { $0.marker == 0xDB }).body
    let bare = Array(bytes[..<(tables.lowerBound - 4)] + bytes[tables.upperBound...])
    #expect(Decoded(bare, by: decoder).error?.message.contains("Quantization table") == true)
  }

  @Test(.enabled(if: isInstalled("djpeg")))
  func `it decodes the red, green and blue that djpeg decodes`() throws {
    let bytes = try Fixture.bytes("rgb.jpg")
    let folder = try TestFolder()
    try folder.write(bytes, to: "a.jpg")
    try folder.run("djpeg -outfile a.ppm a.jpg")
    let (format, samples) = try decoded(bytes)
    #expect(format.isRGB && format.chroma == .yuv444)
    let header = Array("P6\n\(format.width) \(format.height)\n255\n".utf8)
    let pixels = samples[0].indices.flatMap { [samples[2][$0], samples[0][$0], samples[1][$0]] }
    #expect(try header + pixels == folder.read("a.ppm"))
  }

  /// The rules of libjpeg: JFIF, then Adobe's segment, then the identifiers.
  @Test(arguments: [
    (jfif: false, adobe: UInt8?(0), identifiers: "\u{1}\u{2}\u{3}", isRGB: true),
    (false, 1, "RGB", false), (true, 0, "RGB", false), (false, nil, "RGB", true),
    (false, nil, "\u{1}\u{2}\u{3}", false), (false, nil, "rgb", false),
  ])
  func `it tells RGB as libjpeg does`(
    _ row: (jfif: Bool, adobe: UInt8?, identifiers: String, isRGB: Bool)
  ) throws {
    var bytes: [UInt8] = [0xFF, 0xD8]
    if row.jfif { bytes += [0xFF, 0xE0, 0, 16] + "JFIF\0".utf8 + [1, 1, 0, 0, 1, 0, 1, 0, 0] }
    if let adobe = row.adobe {
      bytes += [0xFF, 0xEE, 0, 14] + "Adobe".utf8 + [0, 100, 0, 0, 0, 0, adobe]
    }
    bytes += [0xFF, 0xC0, 0, 17, 8, 0, 8, 0, 8, 3]
    for identifier in row.identifiers.utf8 { bytes += [identifier, 0x11, 0] }
    bytes += [0xFF, 0xDA, 0, 2, 0]
    #expect(try JPEGHeader(bytes).isRGB == row.isRGB)
  }

  @Test func `it refuses a picture beyond the limit, and another codec`() throws {
    let bytes = try Fixture.bytes("420.jpg")
    #expect(try Decoded(bytes, by: JPEGDecoder(megapixels: 0)).error?.kind == .limit)
    let decoder = try JPEGDecoder()
    #expect(throws: MediaError.self) {
      try unsafe decoder.decode(CodedPicture(codec: .hevc, samples: [bytes])) { _ in }
    }
  }

  @Test func `it passes on what the caller throws`() throws {
    let failure = MediaError(.io, "no more")
    let bytes = try Fixture.bytes("420.jpg")
    let decoder = try JPEGDecoder()
    #expect(throws: failure) {
      try unsafe decoder.decode(CodedPicture(codec: .jpeg, samples: [bytes])) {
        _ throws(MediaError) in throw failure
      }
    }
    #expect(throws: failure) {
      _ = try JPEGCheck {
        var pieces = [Array(bytes[100..<1000]), Array(bytes[..<100])]
        return { (_: Int) throws(MediaError) -> [UInt8] in
          guard let piece = pieces.popLast() else { throw failure }
          return piece
        }
      }
    }
  }
}
