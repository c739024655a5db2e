// SPDX-License-Identifier: MIT

import ApusBytes
import ApusDe265
import ApusFFmpeg
import ApusIntra
import ApusMedia
import Glibc
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// HEICs that our own encoder writes: three decoders have to see the same samples in every picture of them, and ones that
/// are near those that were coded. `Tests/Scripts/test_heicout.py` asks libheif.
@Suite struct OwnEncoderTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    /// A fixture; without one a pixmap of this size.
    var fixture: String?
    var size = (width: 0, height: 0)
    /// How many pictures are coded, tiles one by one.
    var pictures: Int
    var change: @Sendable (inout ConvertOptions) -> Void = { _ in }

    var testDescription: String { name }

    init(
      _ name: String, _ size: (width: Int, height: Int), _ pictures: Int,
      _ change: @escaping @Sendable (inout ConvertOptions) -> Void = { _ in }
    ) {
      (self.name, self.size, self.pictures, self.change) = (name, size, pictures, change)
    }

    init(
      _ fixture: String, _ pictures: Int,
      _ change: @escaping @Sendable (inout ConvertOptions) -> Void = { _ in }
    ) {
      (name, self.fixture, self.pictures, self.change) = (fixture, fixture, pictures, change)
    }

    func source() throws -> [UInt8] {
      try fixture.map { try Fixture.bytes($0) }
        ?? HEICEncodingTests.pixmap(size.width, size.height)
    }
  }

  static let rows = [
    Row("one sample", (1, 1), 1), Row("a column", (1, 40), 1), Row("odd", (511, 3), 1),
    Row("a tile", (512, 512), 1), Row("tiles", (577, 530), 4),
    Row("ten bits", (577, 131), 2) {
      $0.heic.bitDepth = 10
    },
    Row("single", (1030, 70), 1) { $0.heic.isSingle = true },
    Row("single, odd", (1031, 71), 1) { $0.heic.isSingle = true },
    Row("a thumbnail", (600, 400), 3) { $0.heic.thumbnailSides = [100] },
    Row("coarse", (200, 100), 1) { $0.quality = 1 },
    Row("fine", (200, 100), 1) { $0.quality = 100 },
    Row("gray.jpg", 1), Row("420.jpg", 1), Row("444.jpg", 1),
    Row("gray.jpg", 1) { $0.heic.bitDepth = 10 },
    Row("alpha-straight.heic", 2), Row("alpha-premultiplied.heic", 2),
    Row("alpha-straight.heic", 2) { $0.heic.bitDepth = 10 },
    Row("gain-map-tmap.heic", 2), Row("gain-map-colour.heic", 2), Row("depth.heic", 2),
    Row("orientation-6.heic", 1),
  ]

  @Test(arguments: rows)
  func `three decoders see the same in what it writes`(_ row: Row) throws {
    var options = ConvertOptions()
    options.format = .heic
    options.quality = 60
    options.heic.encoder = .own
    row.change(&options)
    let (report, heic) = PhotoEngine(options, workers: 2).convertAndWait(
      MemorySource(try row.source()))
    try #require(report.status == .converted, "\(report.failure?.description ?? "")")
    #expect(report.encoders == [CodecUse(name: "own", pictures: row.pictures)])
    let tree = try BoxTree(reading: MemorySource(heic))
    #expect(tree.findings.isEmpty)
    let file = PhotoFile(tree)
    #expect(file.findings.isEmpty)
    let picture = try file.primaryPicture()
    var plans = [try file.plan(picture)]
    plans += plans[0].alpha
    var companions = try file.auxiliaries(of: picture).map { ($0.source, $0.picture) }
    if let map = try file.foundGainMap(of: picture) { companions.append((map.source, map.picture)) }
    for (source, picture) in companions { plans.append(try source.plan(picture)) }
    var count = 0
    for source in plans.flatMap(\.sources) {
      let coded = try source.loaded()
      let planes = try DecodedPlanes(coded, by: IntraDecoder())
      #expect(planes.format == source.format)
      #expect(try DecodedPlanes(coded, by: FFmpegDecoder()) == planes)
      #expect(try DecodedPlanes(coded, by: De265Decoder()) == planes)
      count += 1
    }
    #expect(count > 0 && count <= row.pictures)
  }

  @Test(arguments: [40, 60, 80])
  func `it writes samples that are near the ones it was given`(quality: Int) throws {
    let source = Self.waves(320, 200)
    let both = try [EncoderChoice.own, .x265].map { encoder in
      try HEICEncodingTests.planes(
        HEICEncodingTests.heic(source) {
          $0.quality = quality
          $0.heic.encoder = encoder
          $0.heic.speed = .medium
        })
    }
    let wanted = try HEICEncodingTests.planes(
      HEICEncodingTests.heic(source) {
        $0.heic.isLossless = true
        $0.chroma = .yuv420
      })
    let decibels = both.map { planes -> Double in
      let squares = zip(planes.prefix(320 * 200), wanted).reduce(0) { sum, pair in
        let error = Int(pair.0) - Int(pair.1)
        return sum + error * error
      }
      return 10 * log10(255 * 255 * 320 * 200 / Double(max(squares, 1)))
    }
    #expect(abs(decibels[0] - decibels[1]) < 1.5, "\(decibels)")
  }

  @Test(
    arguments: ["lossless", "4:4:4", "4:2:2"])
  func `it refuses by name what our encoder does not write, and leaves it to libx265 otherwise`(
    _ what: String
  ) throws {
    func options(_ encoder: EncoderChoice) -> ConvertOptions {
      var options = ConvertOptions()
      options.format = .heic
      (options.heic.encoder, options.heic.speed) = (encoder, .ultrafast)
      switch what {
      case "lossless": options.heic.isLossless = true
      case "4:4:4": options.chroma = .yuv444
      default: options.chroma = .yuv422
      }
      return options
    }
    let source = HEICEncodingTests.pixmap(70, 70)
    let (own, _) = PhotoEngine(options(.own), workers: 1).convertAndWait(MemorySource(source))
    #expect(own.failure?.kind == .unsupported)
    let wanted = what == "lossless" ? "lossless coding" : what
    #expect(own.failure?.description.contains(wanted) == true, "\(own.failure?.description ?? "")")
    #expect(own.encoders.isEmpty)
    let (auto, heic) = PhotoEngine(options(.auto), workers: 1).convertAndWait(MemorySource(source))
    #expect(auto.encoders.map { $0.name.hasPrefix("libx265 ") } == [true])
    #expect(auto.encoders.first?.reason?.contains(wanted) == true, "\(auto.encoders)")
    let (named, same) = PhotoEngine(options(.x265), workers: 1).convertAndWait(MemorySource(source))
    #expect(named.encoders.map(\.name) == auto.encoders.map(\.name) && heic == same)
    #expect(named.encoders.map(\.reason) == [nil])
  }

  @Test func `it gives the same bytes for any number of workers`() throws {
    let files = try [1, 2, 5].map { workers in
      try HEICEncodingTests.heic(HEICEncodingTests.pixmap(1100, 700), workers: workers) {
        $0.heic.encoder = .own
        $0.heic.thumbnailSides = [160]
      }
    }
    #expect(files[1] == files[0] && files[2] == files[0])
  }

  /// Slow waves with a little noise.
  private static func waves(_ width: Int, _ height: Int) -> [UInt8] {
    var noise: UInt32 = 1
    return Array("P6 \(width) \(height) 255\n".utf8)
      + (0..<width * height).flatMap { place -> [UInt8] in
        let (x, y) = (place % width, place / width)
        return [x, x + y, y].map { phase in
          noise = noise &* 1_664_525 &+ 1_013_904_223
          return UInt8(60 + abs(phase % 256 - 128) + Int(noise >> 29))
        }
      }
  }
}
