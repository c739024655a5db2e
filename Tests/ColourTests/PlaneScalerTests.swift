// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Testing

@Suite struct PlaneScalerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var from: (width: Int, height: Int)
    var to: (width: Int, height: Int)
    var bitDepth = 8
    var testDescription: String { "\(from) to \(to), \(bitDepth) bits" }
  }

  static let rows = [
    Row(from: (12, 8), to: (3, 2)), Row(from: (13, 9), to: (5, 4)),
    Row(from: (64, 48), to: (63, 47)),
    Row(from: (100, 3), to: (7, 1)), Row(from: (5, 7), to: (5, 7)), Row(from: (4, 4), to: (6, 5)),
    Row(from: (90, 70), to: (11, 9), bitDepth: 16), Row(from: (33, 21), to: (1, 1), bitDepth: 10),
    // Weights for which sums of 16 bits have room, to the last one and no more.
    Row(from: (126, 1028), to: (32, 4)), Row(from: (126, 1032), to: (32, 4)),
    Row(from: (20, 64), to: (5, 1), bitDepth: 10), Row(from: (20, 65), to: (5, 1), bitDepth: 10),
    Row(from: (6, 9), to: (4, 6), bitDepth: 16), Row(from: (8, 6), to: (12, 9)),
  ]

  @Test(arguments: rows)
  func `it makes the mean of the area that each sample stands for`(row: Row) {
    let source = Self.picture(row)
    let scaled = Self.scaled(source, row, bands: [row.from.height])
    for y in 0..<row.to.height {
      for x in 0..<row.to.width {
        let mean = Self.mean(source, row, x, y)
        #expect(abs(Double(scaled[y * row.to.width + x]) - mean) <= 0.5 + 1e-6)
      }
    }
  }

  @Test(arguments: rows)
  func `it makes the same plane however it is cut`(row: Row) {
    let source = Self.picture(row)
    let whole = Self.scaled(source, row, bands: [row.from.height])
    #expect(Self.scaled(source, row, bands: Array(repeating: 1, count: row.from.height)) == whole)
    let half = row.from.height / 2
    #expect(Self.scaled(source, row, bands: [half, row.from.height - half]) == whole)
  }

  @Test(arguments: rows)
  func `it keeps the largest sample`(row: Row) {
    let largest = UInt16((1 << row.bitDepth) - 1)
    let source = Self.picture(row, filledWith: largest)
    #expect(Self.scaled(source, row, bands: [row.from.height]).allSatisfy { $0 == largest })
  }

  /// - Parameter same: what all samples are, where they are not to vary.
  private static func picture(_ row: Row, filledWith same: UInt16? = nil) -> Picture {
    let picture = Picture(
      PictureFormat(
        width: row.from.width, height: row.from.height, chroma: .monochrome, bitDepth: row.bitDepth)
    )
    var state: UInt64 = 1
    for y in 0..<row.from.height {
      for x in 0..<row.from.width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value =
          same ?? UInt16(truncatingIfNeeded: state >> 40) & UInt16((1 << row.bitDepth) - 1)
        let line = unsafe picture.plane(0) + y * picture.strides[0]
        if row.bitDepth == 8 {
          unsafe line.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
        } else {
          unsafe line.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
    return picture
  }

  private static func sample(_ picture: Picture, _ x: Int, _ y: Int) -> Double {
    let line = unsafe picture.plane(0) + y * picture.strides[0]
    return picture.format.bitDepth == 8
      ? Double(unsafe line.load(fromByteOffset: x, as: UInt8.self))
      : Double(unsafe line.load(fromByteOffset: 2 * x, as: UInt16.self))
  }

  /// Sample by sample, by how much of each lies in the area.
  private static func mean(_ picture: Picture, _ row: Row, _ x: Int, _ y: Int) -> Double {
    func overlap(_ index: Int, _ place: Int, _ from: Int, _ to: Int) -> Double {
      let scale = Double(from) / Double(to)
      return max(
        0,
        min(Double(index + 1), Double(place + 1) * scale)
          - max(Double(index), Double(place) * scale)
      )
    }
    var sum = 0.0
    var weight = 0.0
    for row1 in 0..<row.from.height {
      let down = overlap(row1, y, row.from.height, row.to.height)
      for column in 0..<row.from.width where down > 0 {
        let part = down * overlap(column, x, row.from.width, row.to.width)
        sum += part * sample(picture, column, row1)
        weight += part
      }
    }
    return sum / weight
  }

  private static func scaled(_ picture: Picture, _ row: Row, bands: [Int]) -> [UInt16] {
    let scaler = PlaneScaler(from: row.from, to: row.to)
    var sums = [UInt64](repeating: 0, count: row.to.width * row.to.height)
    var top = 0
    for height in bands {
      let plane = unsafe PictureView.Plane(
        base: picture.plane(0) + top * picture.strides[0], stride: picture.strides[0])
      let part = unsafe scaler.part(
        of: plane, rows: top..<top + height, bytesPerSample: picture.format.bytesPerSample,
        largest: 1 << row.bitDepth - 1)
      for (index, sum) in part.sums.enumerated() {
        sums[part.firstRow * row.to.width + index] += sum
      }
      top += height
    }
    return sums.map(scaler.mean)
  }
}
