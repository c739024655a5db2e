// SPDX-License-Identifier: MIT

import ApusDe265
import ApusFFmpeg
import ApusMedia
import Glibc
import TestSupport
import Testing

@testable import ApusIntra

/// Our encoder, whose pictures three decoders have to see as it says.
@Suite struct StillEncoderTests {
  /// One speed after the other, from quantizer to quantizer: rows of one have three entries for it.
  @Test(arguments: StillRow.all)
  func `it says which samples three decoders see`(_ row: StillRow) throws {
    for (index, qp) in row.qps.enumerated() {
      let speed = StillSpeed.allCases[(index + 1) % 3]
      var settings = StillSettings(qp: qp)
      row.change(&settings)
      settings.choices = SearchChoices(speed)
      let encoding = try OwnEncoding(row.source(), settings)
      let name = "\(row.name), quantizer \(qp), \(speed)"
      try ThreeDecoders.compare(encoding.picture, row.faults, name)
      let planes = try DecodedPlanes(encoding.picture, by: IntraDecoder())
      #expect(planes.format.width == row.format.width, "\(name)")
      #expect(encoding.fits(planes), "\(name)")
    }
  }

  @Test(
    arguments: [8, 10],
    StillSpeed.allCases)
  func `decoders find the MD5 that its own samples have`(depth: Int, speed: StillSpeed) throws {
    let format = PictureFormat(width: 136, height: 72, chroma: .yuv420, bitDepth: depth)
    for source in SourcePicture.allCases {
      var settings = StillSettings(qp: 9, speed: speed)
      settings.hasOffsets = true
      let encoding = try OwnEncoding(source.make(format), settings)
      try ThreeDecoders.compare(encoding.announcing(), .init(), "\(source)")
      #expect(throws: MediaError.self) {
        try DecodedPlanes(encoding.announcing(isWrong: true), by: IntraDecoder())
      }
    }
  }

  @Test(
    arguments: [8, 10],
    StillSpeed.allCases)
  func `it writes the same bytes by kernels that every machine has`(depth: Int, speed: StillSpeed)
    throws
  {
    let format = PictureFormat(width: 200, height: 136, chroma: .yuv420, bitDepth: depth)
    for source in SourcePicture.allCases {
      for qp in [3, 22, 40] {
        var settings = StillSettings(qp: qp, speed: speed)
        (settings.hasOffsets, settings.skipsTransforms) = (true, qp == 22)
        let usual = try OwnEncoding(source.make(format), settings)
        settings.isPortable = true
        let portable = try OwnEncoding(source.make(format), settings)
        #expect(usual.output.slice == portable.output.slice, "\(source), quantizer \(qp)")
      }
    }
  }

  @Test(arguments: StillSpeed.allCases)
  func `it writes the same bytes whatever it encoded before`(_ speed: StillSpeed) throws {
    let format = PictureFormat(width: 136, height: 72, chroma: .yuv420, bitDepth: 8)
    let encoder = try StillEncoder(format, StillSettings(qp: 20, speed: speed))
    let (source, other) = (SourcePicture.natural.make(format), SourcePicture.noise.make(format))
    try withExtendedLifetime((source, other)) {
      let first = try unsafe encoder.encode(source.view)
      _ = try unsafe encoder.encode(other.view)
      let second = try unsafe encoder.encode(source.view)
      #expect(first.slice == second.slice)
    }
  }

  /// Costs are those of contexts as a quarter of a coding tree block finds them, at the fast speed as the whole of it does, and
  /// contexts go on learning in it. Everything is settled, so that what is not rate is the error of samples.
  @Test(
    arguments: [12, 22, 32],
    StillSpeed.allCases)
  func `it expects as many bits as the slice takes, but for a few percent`(
    qp: Int, speed: StillSpeed
  ) throws {
    let format = PictureFormat(width: 512, height: 512, chroma: .yuv420, bitDepth: 8)
    for source in [SourcePicture.natural, .noise] {
      var settings = StillSettings(qp: qp, speed: speed)
      settings.choices.settledQP = 51
      let encoding = try OwnEncoding(source.make(format), settings)
      let bits = encoding.output.slice.count * 8
      let error = Double(encoding.expectedBits - bits) / Double(bits)
      #expect(abs(error) < (speed == .fast ? 0.03 : 0.02), "\(source), quantizer \(qp): \(error)")
    }
  }

  @Test
  func `it takes few bits for one colour and none that are lost`() throws {
    let format = PictureFormat(width: 512, height: 512, chroma: .yuv420, bitDepth: 8)
    let encoding = try OwnEncoding(StillRow.flat(format, 77), StillSettings(qp: 20))
    #expect(encoding.output.slice.count < 100)
    let worst = encoding.reconstruction.joined().map { abs(Int($0) - 77) }.max() ?? 0
    #expect(worst < 4)
  }

  @Test
  func `it takes logarithms as exactly as it says`() {
    for value: UInt32 in [1, 2, 3, 7, 1000, 22_026, 65535, 65536, 99_999_999, .max] {
      let exact = log2(Double(value)) * 65536
      let own = unsafe AdaptiveQuantizers.logarithm(value)
      #expect(abs(Double(own) - exact) < 2, "\(value)")
    }
  }

  @Test(
    arguments: [
      PictureFormat(width: 64, height: 64, chroma: .yuv444, bitDepth: 8),
      PictureFormat(width: 64, height: 64, chroma: .yuv422, bitDepth: 8),
      PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 12),
      PictureFormat(width: 63, height: 64, chroma: .yuv420, bitDepth: 8),
      PictureFormat(width: 16386, height: 64, chroma: .yuv420, bitDepth: 8),
    ])
  func `it refuses what it does not write`(_ format: PictureFormat) {
    #expect(throws: MediaError.self) { try StillEncoder(format, StillSettings(qp: 20)) }
  }
}

struct StillRow: CustomTestStringConvertible, Sendable {
  var name: String
  var format: PictureFormat
  var qps: [Int]
  var faults = ThreeDecoders.Faults()
  var change: @Sendable (inout StillSettings) -> Void = { _ in }
  var source: @Sendable () -> Picture

  var testDescription: String { name }

  static let all = sizes + contents + adapted + drawn + offset

  /// Sizes whose last coding tree blocks are whole, narrow and low, at quantizers that leave much to offset.
  private static let offset: [StillRow] = [(Chroma.yuv420, 8), (.yuv420, 10), (.monochrome, 8)]
    .flatMap { chroma, depth in
      [(128, 128), (200, 136), (8, 300), (330, 72), (66, 130)].flatMap { width, height in
        let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
        return SourcePicture.allCases.map { source in
          StillRow(
            name: "offsets, \(source), \(width) × \(height), \(chroma.name), \(depth) bit",
            format: format, qps: [4, 22, 34, 45], change: { $0.hasOffsets = true }
          ) { source.make(format) }
        }
      }
    }

  /// Letters and lines on plain ground, some of whose blocks go without a transform.
  private static let drawn: [StillRow] = [(Chroma.yuv420, 8), (.yuv420, 10), (.monochrome, 8)]
    .flatMap { chroma, depth in
      let format = PictureFormat(width: 200, height: 136, chroma: chroma, bitDepth: depth)
      let most = 1 << depth - 1
      return [SourcePicture?.none, .noise, .natural].map { other in
        StillRow(
          name:
            "without transforms, \(other.map { "\($0)" } ?? "drawn"), \(chroma.name), \(depth) bit",
          format: format, qps: [0, 4, 17, 27, 40, 51],
          change: {
            $0.skipsTransforms = true
          }
        ) {
          other?.make(format)
            ?? made(format) { x, y, dice in
              let isDark = (x * 7 + y / 3 * 5) % 11 < 3 || (x / 5 + y / 7) % 4 == 0
              return UInt16(isDark ? most / 9 : (x / 48 + y / 40) % 2 == 0 ? most : most * 3 / 4)
            }
        }
      }
    }

  /// Smooth blocks and detailed ones side by side, so that quantizers differ from group to group.
  private static let adapted: [StillRow] = [(Chroma.yuv420, 8), (.yuv420, 10), (.monochrome, 8)]
    .flatMap { chroma, depth in
      let format = PictureFormat(width: 232, height: 200, chroma: chroma, bitDepth: depth)
      let most = 1 << depth - 1
      return [10, 60, 95].map { quality in
        StillRow(
          name: "quality \(quality), \(chroma.name), \(depth) bit", format: format,
          qps: [0, 0, 0],
          change: { $0 = StillSettings(quality: quality) }
        ) {
          made(format) { x, y, dice in
            let isRough = (x / 32 + y / 40) % 3 == 0
            return UInt16(isRough ? dice.roll(0...most) : (x + 2 * y) * most / 800)
          }
        }
      }
    }

  private static let sizes: [StillRow] = [
    (8, 8), (2, 2), (10, 6), (16, 16), (64, 64), (66, 62), (72, 40), (136, 104), (130, 200),
    (2, 300), (300, 2), (16384, 2), (2, 16384),
  ].flatMap { width, height in
    [(Chroma.yuv420, 8), (.monochrome, 8), (.yuv420, 10), (.monochrome, 10)].map {
      chroma, depth in
      let odd = chroma == .monochrome ? 1 : 0
      let format = PictureFormat(
        width: width - odd, height: height - odd, chroma: chroma, bitDepth: depth)
      return StillRow(
        name: "\(format.width) × \(format.height), \(chroma.name), \(depth) bit", format: format,
        qps: [17, 34]
      ) { SourcePicture.natural.make(format) }
    }
  }

  private static let contents: [StillRow] = [8, 10].flatMap { depth in
    let format = PictureFormat(width: 136, height: 136, chroma: .yuv420, bitDepth: depth)
    let quantizers = [0, 1, 8, 25, 37, 44, 51]
    let most = UInt16((1 << depth) - 1)
    return [
      StillRow(name: "noise, \(depth) bit", format: format, qps: quantizers) {
        SourcePicture.noise.make(format)
      },
      StillRow(name: "gradient, \(depth) bit", format: format, qps: quantizers) {
        SourcePicture.gradient.make(format)
      },
      StillRow(name: "waves, \(depth) bit", format: format, qps: quantizers) {
        SourcePicture.natural.make(format)
      },
      StillRow(name: "extremes, \(depth) bit", format: format, qps: [0, 4, 16, 30]) {
        made(format) { x, y, dice in (x / 3 + y / 5 + x * y / 97) & 1 == 0 ? 0 : most }
      },
      StillRow(name: "random extremes, \(depth) bit", format: format, qps: [0, 4, 16, 30]) {
        made(format) { _, _, dice in dice.chance(50) ? 0 : most }
      },
      StillRow(name: "large extremes, \(depth) bit", format: format, qps: [0, 12, 30]) {
        made(format) { x, y, dice in (x / 32 + y / 32) & 1 == 0 ? 0 : most }
      },
    ]
  }

  static func made(_ format: PictureFormat, _ sample: (Int, Int, inout Dice) -> UInt16) -> Picture {
    let picture = Picture(format)
    var dice = Dice(format.width)
    for plane in 0..<format.planeCount {
      for y in 0..<format.height(ofPlane: plane) {
        let row = unsafe picture.plane(plane) + y * picture.strides[plane]
        for x in 0..<format.width(ofPlane: plane) {
          let value = sample(x, y, &dice)
          if format.bytesPerSample == 1 {
            unsafe row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
          } else {
            unsafe row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }

  static func flat(_ format: PictureFormat, _ value: UInt16) -> Picture {
    made(format) { _, _, _ in value }
  }
}
