// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Testing

struct ConversionTests {
  /// Real numbers by the formulas of the standards (`Scripts/making/colour.py`).
  @Test(arguments: ConversionRow.all)
  func `it agrees with the formulas`(_ row: ConversionRow) throws {
    let samples = try row.converted()
    try #require(samples.count == row.expected.count && !samples.isEmpty)
    let worst = zip(samples, row.expected).map { (Double($0) - $1).magnitude }.max() ?? 0
    #expect(worst <= row.tolerance, "\(samples) \(row.expected)")
  }

  @Test(arguments: ForeignConversion.all)
  func `it agrees with other programs`(_ row: ForeignConversion) throws {
    let format = PictureFormat(
      width: row.planes[0].count, height: 1, chroma: .yuv444, bitDepth: row.bitDepth)
    let (primaries, transfer, matrix, range) = row.colour
    let plan = try ColourPlan(
      ColourDescription(
        primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range == 1))
    let conversion = try #require(
      try SampleConversion.between(format, plan, target: row.target))
    let source = Samples.picture(format) { plane, x, _ in row.planes[plane][x] }
    let output = Picture(conversion.outputFormat(height: 1))
    unsafe conversion.convert(source.view, at: 0, into: output)
    let values = Samples.values(output)
    for plane in 0..<3 {
      for x in 0..<format.width {
        let value =
          output.format.planeCount == 1 ? values[3 * x + plane] : values[plane * format.width + x]
        #expect((value - row.expected[plane][x]).magnitude <= 1)
      }
    }
  }

  /// Every conversion of the table on a larger picture, whole and in pieces.
  @Test(arguments: ConversionRow.all)
  func `it is the same however a picture is cut`(_ row: ConversionRow) throws {
    var format = row.format
    (format.width, format.height) = (45, 53)
    let conversion = try #require(
      try SampleConversion.between(
        format, ColourPlan(row.colour, wishes: row.wishes), site: row.site, alpha: row.alpha,
        target: row.target))
    let source = Samples.picture(format)
    let cover = row.alpha.map { _ in
      Samples.picture(
        PictureFormat(width: 45, height: 53, chroma: .monochrome, bitDepth: row.alphaDepth))
    }
    let whole = Picture(conversion.outputFormat(height: 53))
    unsafe conversion.convert(source.view, alpha: cover?.view, at: 0, into: whole)
    for height in [16, 32, 48] {
      for top in stride(from: 0, to: 53, by: height) {
        let count = min(height, 53 - top)
        let band = Picture(conversion.outputFormat(height: count))
        let edges = ColourEdges(
          above: top > 0 ? ColourRow(source.piece(top - 2, 2), isLast: true) : nil,
          below: top + count < 53 ? ColourRow(source.piece(top + count, 1), isLast: false) : nil)
        unsafe conversion.convert(
          source.view.rows(top, count), alpha: cover?.view.rows(top, count),
          edges: conversion.needsEdges ? edges : ColourEdges(), at: top, into: band)
        for plane in 0..<band.format.planeCount {
          let shift = plane > 0 ? band.format.chroma.shiftY : 0
          let width = band.format.width(ofPlane: plane)
          let start = (top >> shift) * width
          let expected = Samples.values(whole, plane: plane)
          let values = Samples.values(band, plane: plane)
          #expect(Array(expected[start..<start + values.count]) == values)
        }
      }
    }
  }

  /// BT.601 luma and colour differences of limited range: ITU-T H.273, equations 8-x, rounded to the nearest.
  @Test func `it widens every code`() throws {
    let format = PictureFormat(width: 256, height: 1, chroma: .yuv444, bitDepth: 8)
    let values = try converted(
      format, ColourDescription(matrix: 6, isFullRange: false), .jpeg(.yuv444)
    ) { _, x, _ in x }
    for code in 0..<256 {
      // Whole numbers: (code − 16)·255/219 and (code − 128)·255/224 + 128, and a half.
      let luma = ((code - 16) * 510 + 219).quotientAndRemainder(dividingBy: 438)
      let colour = ((code - 128) * 510 + 224 + 128 * 448).quotientAndRemainder(dividingBy: 448)
      #expect(values[code] == min(max(luma.quotient, 0), 255))
      #expect(values[256 + code] == min(max(colour.quotient, 0), 255))
      #expect(values[512 + code] == values[256 + code])
    }
  }

  /// Codes of 8 bits that were stored in more, by the ratio of their tops, come back as they were.
  @Test(arguments: [10, 12, 16])
  func `it brings back stored gradients`(_ bitDepth: Int) throws {
    let format = PictureFormat(width: 256, height: 32, chroma: .yuv420, bitDepth: bitDepth)
    let top = 1 << bitDepth - 1
    let values = try converted(format, ColourDescription(matrix: 5), .jpeg(.yuv420)) {
      plane, x, _ in
      // Colours lie around half of the codes, which is not half of the top.
      plane == 0
        ? (x * top * 2 + 255) / 510 : (x - 64 << bitDepth - 8) + 1 << (bitDepth - 1)
    }
    for (place, value) in values.prefix(256 * 32).enumerated() { #expect(value == place % 256) }
  }

  /// The mean of a constant area is its value: within 1/256 where range stays, within an eighth where the code is
  /// one that stands for a code of 8 bits.
  @Test(arguments: [10, 12])
  func `it keeps means`(_ bitDepth: Int) throws {
    let format = PictureFormat(width: 16, height: 16, chroma: .monochrome, bitDepth: bitDepth)
    let top = Double(1 << bitDepth - 1)
    let unit = Double(1 << (bitDepth - 8))
    var errors: [Double] = []
    for code in stride(from: 0, to: 1 << bitDepth, by: bitDepth == 10 ? 3 : 17) {
      let full = try converted(format, ColourDescription(), .jpeg(.monochrome)) { _, _, _ in code }
      let error = mean(full) - Double(code) * 255 / top
      errors.append(error)
      #expect(error.magnitude <= 0.5 / unit + 0.002 && (full.max() ?? 0) - (full.min() ?? 0) <= 1)
      let limited = try converted(
        format, ColourDescription(matrix: 1, isFullRange: false), .jpeg(.monochrome)
      ) { _, _, _ in code }
      let expected = min(max((Double(code) / unit - 16) * 255 / 219, 0), 255)
      #expect((mean(limited) - expected).magnitude <= 0.003)
    }
    #expect((errors.reduce(0, +) / Double(errors.count)).magnitude < 0.01)
  }

  /// Pixels are dithered without a bias too, and neighbours share it: each square of 4 keeps its mean nearly.
  @Test func `it keeps means of pixels`() throws {
    let format = PictureFormat(width: 32, height: 32, chroma: .yuv444, bitDepth: 10)
    let colour = ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    for code in [300, 301, 302, 303, 555] {
      let values = try converted(format, colour, .rgb8) { plane, _, _ in plane == 0 ? code : 512 }
      let expected = (Double(code) / 4 - 16) * 255 / 219
      #expect((mean(values) - expected).magnitude <= 0.003)
      let square = (0..<4).flatMap { y in (0..<4).map { x in values[(y * 32 + x) * 3] } }
      #expect((mean(square) - expected).magnitude <= 1.0 / 16)
    }
  }

  /// libjpeg's bias: pairs are rounded down and up in turn, squares by 1/4 and 2/4.
  @Test func `it narrows colours as libjpeg does`() throws {
    let format = PictureFormat(width: 8, height: 2, chroma: .yuv444, bitDepth: 8)
    let rows = [[10, 11, 10, 11, 0, 1, 255, 255], [10, 11, 11, 11, 0, 0, 255, 254]]
    let colour = ColourDescription(matrix: 6)
    let small = try converted(format, colour, .jpeg(.yuv420)) { _, x, y in rows[y][x] }
    #expect(small[16..<20] == [10, 11, 0, 255])
    let flat = try converted(format, colour, .jpeg(.yuv422)) { _, x, y in rows[y][x] }
    #expect(flat[16..<24] == [10, 11, 0, 255, 10, 11, 0, 255])
  }

  @Test func `it leaves planes that are right`() throws {
    for matrix in [2, 5, 6] {
      for chroma in Chroma.allCases {
        let format = PictureFormat(width: 9, height: 9, chroma: chroma, bitDepth: 8)
        let plan = try ColourPlan(ColourDescription(primaries: 12, transfer: 13, matrix: matrix))
        #expect(try SampleConversion.between(format, plan, target: .jpeg(chroma)) == nil)
        #expect(try SampleConversion.between(format, plan, target: .planes) == nil)
      }
    }
    let grey = PictureFormat(width: 9, height: 9, chroma: .monochrome, bitDepth: 8)
    let plan = try ColourPlan(ColourDescription(matrix: 9))
    #expect(try SampleConversion.between(grey, plan, target: .jpeg(.monochrome)) == nil)
  }

  @Test func `it keeps meaning of planes`() throws {
    let format = PictureFormat(width: 16, height: 16, chroma: .yuv420, bitDepth: 10)
    let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
    var wishes = ColourPlan.Wishes()
    wishes.keepsHDR = true
    let values = try converted(format, colour, .planes, wishes) { plane, x, _ in
      plane == 0 ? 4 * (16 + x) : 4 * (100 + x)
    }
    #expect(values == (0..<256).map { 16 + $0 % 16 } + (0..<128).map { 100 + $0 % 8 })
  }

  @Test func `it refuses what it cannot convert`() throws {
    for (matrix, chroma, kind) in [
      (0, Chroma.yuv420, MediaError.Kind.corrupt), (14, .yuv444, .unsupported),
      (200, .yuv420, .unsupported),
    ] {
      let format = PictureFormat(width: 8, height: 8, chroma: chroma, bitDepth: 8)
      let plan = try ColourPlan(ColourDescription(matrix: matrix))
      let error = #expect(throws: MediaError.self) {
        try SampleConversion.between(format, plan, target: .rgb8)
      }
      #expect(error?.kind == kind && error?.message.contains("\(matrix)") == true)
    }
  }

  /// What a decoder leaves in the bits above the depth reaches beyond no table.
  @Test func `it stays inside of tables`() throws {
    let format = PictureFormat(width: 32, height: 2, chroma: .yuv420, bitDepth: 10)
    let values = try converted(format, ColourDescription(), .jpeg(.yuv420)) { _, x, _ in 0xffff - x
    }
    #expect(values.count == 32 * 2 + 2 * 16)
  }

  private func converted(
    _ format: PictureFormat, _ colour: ColourDescription, _ target: TargetSamples,
    _ wishes: ColourPlan.Wishes = ColourPlan.Wishes(), _ value: (Int, Int, Int) -> Int
  ) throws -> [Int] {
    let conversion = try #require(
      try SampleConversion.between(format, ColourPlan(colour, wishes: wishes), target: target))
    let source = Samples.picture(format, value)
    let output = Picture(conversion.outputFormat(height: format.height))
    unsafe conversion.convert(source.view, at: 0, into: output)
    return Samples.values(output)
  }

  private func mean(_ values: [Int]) -> Double {
    Double(values.reduce(0, +)) / Double(values.count)
  }
}

extension Picture {
  /// Some rows of it, from an even one on, copied.
  fileprivate func piece(_ top: Int, _ count: Int) -> Picture {
    var piece = format
    piece.height = count
    let values = (0..<format.planeCount).map { Samples.values(self, plane: $0) }
    return Samples.picture(piece) { plane, x, y in
      let row = top >> (plane > 0 ? format.chroma.shiftY : 0) + y
      return values[plane][row * format.width(ofPlane: plane) + x]
    }
  }
}

extension PictureView {
  /// Some rows of it, from an even one on.
  @unsafe fileprivate func rows(_ top: Int, _ count: Int) -> PictureView {
    var view = unsafe self
    unsafe view.format.height = count
    for plane in unsafe view.planes.indices {
      let shift = unsafe plane > 0 ? format.chroma.shiftY : 0
      unsafe view.planes[plane].base += (top >> shift) * view.planes[plane].stride
    }
    return unsafe view
  }
}
