// SPDX-License-Identifier: MIT

import ApusBytes
import ApusDe265
import ApusFFmpeg
import ApusIntra
import ApusMedia
import HEIF
import HEVC
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// Tiles of screens and drawings, whose small blocks go without transforms.
@Suite struct ScreenTests {
  enum Kind: String, CaseIterable {
    case photo, screen, gradient, both
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var kind: Kind
    var encoder: EncoderChoice
    /// Whether picture parameter sets have transforms skipped, in the order of their numbers.
    var skips: [Bool]
    var change: @Sendable (inout ConvertOptions) -> Void = { _ in }
    var testDescription: String { "\(kind) by \(encoder), \(skips)" }
  }

  static let rows = [EncoderChoice.own, .x265].flatMap { encoder in
    [
      Row(kind: .photo, encoder: encoder, skips: [false]),
      Row(kind: .gradient, encoder: encoder, skips: [false]),
      Row(kind: .screen, encoder: encoder, skips: [true]),
      Row(kind: .both, encoder: encoder, skips: [false, true]),
      Row(kind: .both, encoder: encoder, skips: [false, true]) { $0.heic.bitDepth = 10 },
    ]
  }

  @Test(arguments: rows)
  func `three decoders see the same in tiles of both kinds`(_ row: Row) throws {
    let heic = try HEICEncodingTests.heic(Self.pixmap(row.kind)) {
      $0.heic.encoder = row.encoder
      $0.heic.speed = .medium
      row.change(&$0)
    }
    let tree = try BoxTree(reading: MemorySource(heic))
    #expect(tree.findings.isEmpty)
    let file = PhotoFile(tree)
    let sources = try file.plan(file.primaryPicture()).sources
    #expect(sources.count == 3)
    var skips: [UInt8: Bool] = [:]
    for source in sources {
      let coded = try source.loaded()
      let record = try DecoderConfigurationRecord(coded.configuration)
      for unit in record.arrays.flatMap(\.nalUnits) {
        guard let set = NALUnit<PictureParameterSet>(unit).payload else { continue }
        guard NALUnitHeader(of: unit)?.nalUnitType == .pps else { continue }
        skips[set.ppsPicParameterSetID] = set.transformSkipEnabledFlag
      }
      let planes = try DecodedPlanes(coded, by: IntraDecoder())
      #expect(try DecodedPlanes(coded, by: FFmpegDecoder()) == planes)
      #expect(try DecodedPlanes(coded, by: De265Decoder()) == planes)
    }
    #expect(skips.sorted { $0.key < $1.key }.map(\.value) == row.skips)
    #expect(Set(skips.keys) == Set(UInt8(0)..<UInt8(row.skips.count)))
  }

  @Test(arguments: Kind.allCases)
  func `it tells tiles of screens from those of photos`(_ kind: Kind) {
    for depth in [8, 10] {
      let picture = Picture(
        PictureFormat(width: 512, height: 512, chroma: .monochrome, bitDepth: depth))
      for y in 0..<512 {
        let row = unsafe picture.plane(0) + y * picture.strides[0]
        for x in 0..<512 {
          let value = Self.sample(kind, x + 512, y)
          if depth == 8 {
            unsafe row.storeBytes(of: value, toByteOffset: x, as: UInt8.self)
          } else {
            unsafe row.storeBytes(of: UInt16(value) << 2, toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
      let isScreen = unsafe ScreenDetector(picture.view).isScreen
      #expect(isScreen == (kind == .screen || kind == .both), "\(depth) bits")
    }
  }

  /// Three tiles; of `both` the one in the middle is a screen.
  private static func pixmap(_ kind: Kind) -> [UInt8] {
    Array("P6 1500 500 255\n".utf8)
      + (0..<1500 * 500).flatMap { place -> [UInt8] in
        let value = sample(kind, place % 1500, place / 1500)
        return [value, value, value]
      }
  }

  private static func sample(_ kind: Kind, _ x: Int, _ y: Int) -> UInt8 {
    let noise = (UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104_729) &* 2_654_435_761) >> 27
    switch kind {
    case .gradient: return UInt8(40 + x / 16 + y / 8)
    case .photo: return UInt8(60 + abs((x + y / 2) % 200 - 100) + Int(noise) / 2)
    case .screen: break
    case .both:
      guard (512..<1024).contains(x) else { return sample(.photo, x, y) }
    }
    // Letters of a kind: strokes in cells, lines between.
    let (cell, line) = ((x / 9) &* 31 ^ (y / 14) &* 17, y % 14)
    guard line < 10, cell % 5 > 0 else { return 250 }
    let isStroke = x % 9 < 2 || (line / 2 + cell) % 4 == 0 && x % 9 < 7
    return isStroke ? 20 : x % 9 == 2 ? 128 : 250
  }
}
