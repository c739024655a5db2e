// SPDX-License-Identifier: MIT

import ApusMedia
import HEIF
import Testing

@testable import ApusStills

/// The expected samples are found one by one: a sample of the canvas is asked where it came from.
@Suite struct PainterTests {
  static let orientations = (1...8).compactMap { Orientation(exif: $0) }

  @Test(
    arguments: orientations,
    [8, 10])
  func `it lays every sample where the orientation says`(_ orientation: Orientation, depth: Int) {
    // Turned samples go in blocks of 64 that consist of blocks of 8, and what is left over goes one by one.
    let shapes = [
      (crop: PixelRect(x: 4, y: 6, width: 40, height: 28), canvas: 60, bandHeight: 16),
      (crop: PixelRect(x: 2, y: 4, width: 150, height: 146), canvas: 168, bandHeight: 80),
    ]
    for (crop, canvas, bandHeight) in shapes {
      for chroma in Chroma.allCases {
        let format = PictureFormat(
          width: crop.width + 6, height: crop.height + 10, chroma: chroma, bitDepth: depth)
        let source = Picture.numbered(format)
        let sides =
          orientation.swapsSides ? (crop.height, crop.width) : (crop.width, crop.height)
        let piece = PlannedPiece(
          source: 0, crop: crop, orientation: orientation,
          place: PixelRect(x: 2, y: 10, width: sides.0, height: sides.1))
        var plan = PicturePlan(width: canvas, height: canvas)
        plan.sources = [
          PlannedSource(
            name: "it", codec: .hevc, configuration: [], samples: [], format: format)
        ]
        plan.pieces = [piece]
        let layout = CanvasLayout(plan, bandHeight: bandHeight)
        let isTurned422 = chroma == .yuv422 && orientation.swapsSides
        #expect(layout.format.chroma == (isTurned422 ? .yuv444 : chroma))
        for index in 0..<layout.bandCount {
          let rows = layout.rows(ofBand: index)
          let band = Picture(layout.format(ofBand: index))
          unsafe band.fill([0, 0, 0])
          unsafe Painter(piece: piece).paint(source.view, into: band, rows: rows)
          for plane in 0..<band.format.planeCount {
            #expect(
              band.samples(plane)
                == Self.expected(piece, source, plane: plane, of: band.format, rows: rows))
          }
        }
      }
    }
  }

  /// Every sample of a band's plane, by the definition of the orientation: mirror, then turn.
  static func expected(
    _ piece: PlannedPiece, _ source: Picture, plane: Int, of band: PictureFormat, rows: Range<Int>
  ) -> [Int] {
    let (shiftX, shiftY) = plane == 0 ? (0, 0) : (band.chroma.shiftX, band.chroma.shiftY)
    let (sourceX, sourceY) =
      plane == 0 ? (0, 0) : (source.format.chroma.shiftX, source.format.chroma.shiftY)
    let samples = source.samples(plane)
    var result: [Int] = []
    for row in 0..<band.height(ofPlane: plane) {
      for column in 0..<band.width(ofPlane: plane) {
        var x = column << shiftX - piece.place.x
        var y = row << shiftY + rows.lowerBound - piece.place.y
        guard (0..<piece.place.width).contains(x), (0..<piece.place.height).contains(y) else {
          result.append(0)
          continue
        }
        var sides = (piece.place.width, piece.place.height)
        for _ in 0..<piece.orientation.quarterTurns {
          // Back by a quarter: what is right comes from the top.
          (x, y) = (y, sides.0 - 1 - x)
          sides = (sides.1, sides.0)
        }
        if piece.orientation.isMirrored { x = sides.0 - 1 - x }
        let place =
          (y + piece.crop.y) >> sourceY * source.format.width(ofPlane: plane)
          + (x + piece.crop.x) >> sourceX
        result.append(samples[place])
      }
    }
    return result
  }

  @Test(
    arguments: [
      (0, 0, 1, true), (1, 0, 1, false), (0, 1, 1, false), (0, 0, 2, true), (0, 0, 6, true),
    ])
  func `it takes 4:4:4 where pieces begin between colour samples`(
    _ x: Int, _ y: Int, exif: Int, keeps: Bool
  ) throws {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8)
    var plan = PicturePlan(width: 100, height: 100)
    plan.sources = [
      PlannedSource(name: "it", codec: .hevc, configuration: [], samples: [], format: format)
    ]
    plan.pieces = [
      PlannedPiece(
        source: 0, crop: PixelRect(width: 64, height: 64),
        orientation: try #require(Orientation(exif: exif)),
        place: PixelRect(x: x, y: y, width: 64, height: 64))
    ]
    #expect(CanvasLayout(plan).format.chroma == (keeps ? .yuv420 : .yuv444))
  }
}

extension Picture {
  /// Samples that are all different, as far as the depth goes.
  static func numbered(_ format: PictureFormat) -> Picture {
    let picture = Picture(format)
    for plane in 0..<format.planeCount {
      for row in 0..<format.height(ofPlane: plane) {
        for column in 0..<format.width(ofPlane: plane) {
          let value = (row * 67 + column * 3 + plane * 101) & ((1 << format.bitDepth) - 1)
          picture.set(value, plane, row, column)
        }
      }
    }
    return picture
  }

  private func set(_ value: Int, _ plane: Int, _ row: Int, _ column: Int) {
    let line = unsafe self.plane(plane) + row * strides[plane]
    if format.bytesPerSample == 1 {
      unsafe line.storeBytes(of: UInt8(value), toByteOffset: column, as: UInt8.self)
    } else {
      unsafe line.storeBytes(of: UInt16(value), toByteOffset: 2 * column, as: UInt16.self)
    }
  }

  func samples(_ plane: Int) -> [Int] {
    var samples: [Int] = []
    for row in 0..<format.height(ofPlane: plane) {
      let line = unsafe self.plane(plane) + row * strides[plane]
      for column in 0..<format.width(ofPlane: plane) {
        samples.append(
          format.bytesPerSample == 1
            ? Int(unsafe line.load(fromByteOffset: column, as: UInt8.self))
            : Int(unsafe line.load(fromByteOffset: 2 * column, as: UInt16.self)))
      }
    }
    return samples
  }
}
