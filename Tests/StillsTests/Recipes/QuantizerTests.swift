// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusX265
import HEVC
import Testing

@testable import ApusStills

/// What a quality means is said by x265 with the settings of libheif, which codes a picture as a whole.
@Suite struct QuantizerTests {
  enum Kind: String, CaseIterable {
    case smooth, noisy, dark, flat
  }

  struct Row: CustomTestStringConvertible {
    var kind: Kind
    var quality: Int
    var depth = 8
    var side = 512
    var testDescription: String { "\(kind) \(side), \(depth) bits, quality \(quality)" }
  }

  static let rows =
    Kind.allCases.flatMap { kind in [40, 60, 80].map { Row(kind: kind, quality: $0) } } + [
      Row(kind: .noisy, quality: 60, depth: 10), Row(kind: .smooth, quality: 60, depth: 10),
      Row(kind: .dark, quality: 81), Row(kind: .noisy, quality: 100),
      Row(kind: .smooth, quality: 1),
      Row(kind: .noisy, quality: 60, side: 128), Row(kind: .dark, quality: 60, side: 320),
      Row(kind: .smooth, quality: 60, side: 640),
    ]

  @Test(arguments: rows)
  func `the quantizer of a picture is that of x265 as libheif runs it`(_ row: Row) throws {
    let picture = Self.picture(row.kind, row.side, row.side, row.depth)
    #expect(try Self.ours(picture, row.quality) == [Self.theirs(picture, row.quality)])
  }

  /// Otherwise the edges of tiles would show.
  @Test(arguments: [EncoderChoice.own, .x265])
  func `a block is coded as it is whatever else its tile holds`(encoder: EncoderChoice) throws {
    let (above, below) = (Self.picture(.smooth, 512, 256, 8), Self.picture(.noisy, 512, 256, 8))
    let planes = try [above, below].map { second in
      let pixmap = HEICEncodingTests.pixmap(512, 512)
      let header = Array(pixmap.prefix(pixmap.count - 512 * 512 * 3))
      let samples = [above, second].flatMap { half in
        (0..<256).flatMap { y in
          (0..<512).flatMap { x in Array(repeating: Self.luma(of: half, x, y), count: 3) }
        }
      }
      return try HEICEncodingTests.planes(
        HEICEncodingTests.heic(header + samples) {
          ($0.heic.encoder, $0.heic.speed) = (encoder, .veryfast)
        })
    }
    // The last blocks lean on what is below them.
    let shown = 512 * 128
    #expect(planes[0].prefix(shown) == planes[1].prefix(shown))
    #expect(planes[0] != planes[1])
  }

  // MARK: -

  private static func ours(_ picture: Picture, _ quality: Int) throws -> Set<Int> {
    try Set(coded(picture, quality).map { try quantizer($0.payload, $0.headers) })
  }

  private static func coded(_ picture: Picture, _ quality: Int) throws -> [EncodedTile] {
    var choices = HEICChoices()
    (choices.encoder, choices.speed) = (.x265, .veryfast)
    let format = picture.format
    let layout = TileLayout(
      width: format.width, height: format.height, chroma: format.chroma, isSingle: false)
    let encoder = TileEncoder(
      format, layout, colour: ColourDescription(isFullRange: true), quality: quality,
      choices: choices, workers: 1)
    // The tiles of the first row.
    return try (0..<layout.columns).map { try encoder.encode(picture, column: $0) }
  }

  private static func theirs(_ picture: Picture, _ quality: Int) throws -> Int {
    let coded = try whole(picture, quality)
    return try quantizer(coded.payload, coded.headers)
  }

  /// As libheif 1.15 does it.
  private static func whole(_ picture: Picture, _ quality: Int) throws
    -> (payload: [UInt8], headers: [[UInt8]])
  {
    var settings = X265Settings(picture.format)
    (settings.preset, settings.tune) = ("veryfast", "ssim")
    settings.frameRate = (1, 1)
    settings.parameters = [
      ("total-frames", "1"), ("keyint", "1"), ("pools", "2"), ("frame-threads", "1"),
      ("crf", "\(Double(100 - quality) / 2)"), ("aq-mode", "1"), ("psy-rd", "1.0"),
      ("psy-rdoq", "1.0"), ("rskip", "0"), ("rect", "1"), ("amp", "1"),
    ].map { X265Settings.Parameter($0.0, $0.1) }
    let encoder = try X265Encoder(settings)
    var pictures = try unsafe encoder.encode(picture.view, time: 0)
    pictures += try encoder.finish()
    return (try #require(pictures.first).payload, encoder.headers)
  }

  /// Of the first slice: ITU-T H.265, (7-54).
  private static func quantizer(_ payload: [UInt8], _ headers: [[UInt8]]) throws -> Int {
    var sets = ParameterSets()
    for header in headers { _ = sets.add(nalUnit: header) }
    let set = try #require(
      headers.lazy.compactMap { NALUnit<PictureParameterSet>($0).payload }.first)
    let size = payload.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let segment = try SliceSegment(Array(payload[4..<4 + size]), sets: sets)
    return 26 + Int(set.initQPMinus26) + Int(segment.slice.quantization.sliceQPDelta)
  }

  private static func picture(_ kind: Kind, _ width: Int, _ height: Int, _ depth: Int) -> Picture {
    let picture = Picture(
      PictureFormat(width: width, height: height, chroma: .yuv420, bitDepth: depth))
    var noise: UInt32 = 1
    for plane in 0..<3 {
      for y in 0..<picture.format.height(ofPlane: plane) {
        let row = unsafe picture.plane(plane) + y * picture.strides[plane]
        for x in 0..<picture.format.width(ofPlane: plane) {
          noise = noise &* 1_664_525 &+ 1_013_904_223
          let grain = Int(noise >> 24)
          let value =
            switch kind {
            case .smooth: 60 + x / 8 + y / 16 + (grain >> 7)
            case .noisy: 64 + (x * y >> 8 & 31) + (grain >> 2)
            case .dark: 16 + x / 64 + (grain >> 5)
            case .flat: 128
            }
          let code = min(max(value, 0), 255) << (depth - 8)
          if depth == 8 {
            unsafe row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
          } else {
            unsafe row.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }

  private static func luma(of picture: Picture, _ x: Int, _ y: Int) -> UInt8 {
    unsafe (picture.plane(0) + y * picture.strides[0]).load(fromByteOffset: x, as: UInt8.self)
  }
}
