// SPDX-License-Identifier: MIT

import ApusMedia
import TestSupport
import Testing

@testable import ApusColour

@Suite struct CodedSamplesTests {
  struct Row: CustomTestStringConvertible {
    var coded: CodedSamples
    /// Red, green, blue of 8 bits, and the codes by ITU-T H.273, 8.3, equations 20 to 40, worked out by hand.
    var pixels: [(rgb: [UInt8], codes: [Int])]
    var testDescription: String { "\(coded)" }
  }

  static let rows = [
    Row(
      coded: CodedSamples(.yuv444, bitDepth: 10),
      pixels: [
        ([255, 255, 255], [1023, 512, 512]), ([0, 0, 0], [0, 512, 512]),
        ([255, 0, 0], [306, 339, 1023]), ([0, 0, 255], [117, 1023, 429]),
      ]),
    Row(
      coded: CodedSamples(
        .yuv444, matrix: .weighted(red: 0.2126, blue: 0.0722), isFullRange: false),
      pixels: [
        ([255, 255, 255], [235, 128, 128]), ([0, 0, 0], [16, 128, 128]),
        ([255, 0, 0], [63, 102, 240]), ([0, 255, 0], [173, 42, 26]),
      ]),
    Row(
      coded: CodedSamples(.yuv444, bitDepth: 10, matrix: .identity),
      pixels: [([255, 0, 128], [0, 514, 1023])]),
  ]

  @Test(arguments: rows)
  func `it makes codes of red, green and blue`(_ row: Row) throws {
    for pixel in row.pixels {
      var format = PictureFormat(width: 2, height: 2, chroma: .yuv444, bitDepth: 8)
      format.isRGB = true
      let source = Picture(format)
      for (plane, channel) in [1, 2, 0].enumerated() {
        for place in 0..<4 {
          unsafe (source.plane(plane) + place / 2 * source.strides[plane]).storeBytes(
            of: pixel.rgb[channel], toByteOffset: place % 2, as: UInt8.self)
        }
      }
      let plan = try ColourPlan(ColourDescription(primaries: 1, transfer: 13, matrix: 0))
      let conversion = try #require(
        try SampleConversion.between(format, plan, target: .coded(row.coded)))
      let target = Picture(conversion.outputFormat(height: 2))
      #expect(target.format.isRGB == (row.coded.matrix == .identity))
      unsafe conversion.convert(source.view, at: 0, into: target)
      for (plane, code) in pixel.codes.enumerated() {
        let line = unsafe target.plane(plane) + target.strides[plane]
        let found =
          row.coded.bitDepth == 8
          ? Int(unsafe line.load(fromByteOffset: 1, as: UInt8.self))
          : Int(unsafe line.load(fromByteOffset: 2, as: UInt16.self))
        #expect(found == code, "plane \(plane) of \(pixel.rgb)")
      }
    }
  }

  @Test func `it lets planes through that are what is wanted`() throws {
    let format = PictureFormat(width: 2, height: 2, chroma: .yuv420, bitDepth: 10)
    let plan = try ColourPlan(ColourDescription(matrix: 1, isFullRange: false))
    let matrix = MatrixCoefficients.weighted(red: 0.2126, blue: 0.0722)
    let same = CodedSamples(.yuv420, bitDepth: 10, matrix: matrix, isFullRange: false)
    #expect(try SampleConversion.between(format, plan, target: .coded(same)) == nil)
    for other in [
      CodedSamples(.yuv420, bitDepth: 10, matrix: matrix, isFullRange: true),
      CodedSamples(.yuv422, bitDepth: 10, matrix: matrix, isFullRange: false),
      CodedSamples(.yuv420, bitDepth: 10, matrix: .bt601, isFullRange: false),
      CodedSamples(.yuv420, bitDepth: 8, matrix: matrix, isFullRange: false),
    ] {
      #expect(try SampleConversion.between(format, plan, target: .coded(other)) != nil)
    }
  }
}
