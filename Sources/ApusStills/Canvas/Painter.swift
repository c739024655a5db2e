// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEIF

/// Lays pieces of decoded pictures onto bands of a canvas: cropped, mirrored and turned.
///
/// The pointers in here are safe because a piece is only painted after `fits` has compared its crop with the
/// planes that came, and because what is painted is cut to the rows of the band.
struct Painter {
  let piece: PlannedPiece

  /// Returns whether the planes from a decoder cover the whole piece.
  func fits(_ format: PictureFormat) -> Bool {
    piece.crop.x >= 0 && piece.crop.y >= 0 && piece.crop.maxX <= format.width
      && piece.crop.maxY <= format.height
  }

  /// Paints the part of a piece that lies in one band.
  ///
  /// - Parameters:
  ///   - rows: the rows of the canvas that the band holds.
  ///   - alpha: the opacity of the piece, with the same crop; opaque if `nil`.
  @unsafe func paint(
    _ source: PictureView, alpha: PictureView? = nil, into band: Picture, rows: Range<Int>
  ) {
    let place = piece.place.intersection(
      PixelRect(x: 0, y: rows.lowerBound, width: band.format.width, height: rows.count))
    guard !place.isEmpty else { return }
    for plane in 0..<band.format.planeCount {
      let area = unsafe Area(
        piece, part: place, rows: rows, plane: plane, of: source.format, on: band.format)
      let target = unsafe PlaneTarget(
        base: band.plane(plane) + area.y * band.strides[plane]
          + area.x * band.format.bytesPerSample, stride: band.strides[plane])
      guard unsafe plane < source.planes.count else {
        unsafe target.fill(area, neutral: band.format)
        continue
      }
      let hasSameDepth = unsafe source.format.bitDepth == band.format.bitDepth
      if unsafe alpha == nil, hasSameDepth, area.stepsEvenly {
        unsafe target.copy(area, from: source.planes[plane], format: source.format)
      } else {
        unsafe target.blend(
          area, from: source.planes[plane], of: source.format, alpha: alpha, onto: band.format)
      }
    }
  }
}

/// The samples of one plane to be painted, and their positions in the source.
struct Area {
  /// The first sample in the plane of the band.
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  /// The luma coordinate in the source of the first column of the area.
  let acrossStart: Int
  /// The distance from one column of the area to the next, in luma samples of the source before scaling.
  let acrossStep: Int
  /// The luma coordinate in the source of the first row of the area.
  let downStart: Int
  /// The distance from one row of the area to the next, in luma samples of the source before scaling.
  let downStep: Int
  /// Whether columns of the area are rows of the source.
  let isSwapped: Bool
  /// The number of bits by which luma columns are shifted down for columns of the source's plane.
  let shiftX: Int
  /// The number of bits by which luma rows are shifted down for rows of the source's plane.
  let shiftY: Int
  /// Whether one sample of the band's plane is one of the source's.
  let stepsEvenly: Bool
  /// Corresponding lengths in the source and on the canvas, if the piece is scaled.
  private let acrossScale: (source: Int, canvas: Int)
  private let downScale: (source: Int, canvas: Int)

  init(
    _ piece: PlannedPiece, part: PixelRect, rows: Range<Int>, plane: Int, of source: PictureFormat,
    on band: PictureFormat
  ) {
    let (bandX, bandY) = plane == 0 ? (0, 0) : (band.chroma.shiftX, band.chroma.shiftY)
    (shiftX, shiftY) = plane == 0 ? (0, 0) : (source.chroma.shiftX, source.chroma.shiftY)
    // A colour sample belongs to the piece that holds the first of its luma samples.
    let left = (part.x + (1 << bandX) - 1) >> bandX
    let top = (part.y + (1 << bandY) - 1) >> bandY
    x = left
    y = top - rows.lowerBound >> bandY
    width = max((part.maxX + (1 << bandX) - 1) >> bandX - left, 0)
    height = max((part.maxY + (1 << bandY) - 1) >> bandY - top, 0)
    isSwapped = piece.orientation.swapsSides
    let crop = piece.crop
    let sides = isSwapped ? (crop.height, crop.width) : (crop.width, crop.height)
    acrossScale = (sides.0, max(piece.place.width, 1))
    downScale = (sides.1, max(piece.place.height, 1))
    let isScaled = sides != (piece.place.width, piece.place.height)
    stepsEvenly = bandX == shiftX && bandY == shiftY && !isScaled
    // How far into the piece the area begins, along the band's axes.
    let across = (left << bandX - piece.place.x) * acrossScale.source / acrossScale.canvas
    let down = (top << bandY - piece.place.y) * downScale.source / downScale.canvas
    let flips = piece.orientation.flips
    let fromX = isSwapped ? down : across
    let fromY = isSwapped ? across : down
    let startX = flips.x ? crop.maxX - 1 - fromX : crop.x + fromX
    let startY = flips.y ? crop.maxY - 1 - fromY : crop.y + fromY
    (acrossStart, downStart) = isSwapped ? (startY, startX) : (startX, startY)
    let (flipsAcross, flipsDown) = isSwapped ? (flips.y, flips.x) : (flips.x, flips.y)
    acrossStep = (flipsAcross ? -1 : 1) << bandX
    downStep = (flipsDown ? -1 : 1) << bandY
  }

  /// Returns the byte offset of a column of the area within the source's plane.
  func offset(ofColumn column: Int, stride: Int, bytes: Int) -> Int {
    let luma = acrossStart + column * acrossStep * acrossScale.source / acrossScale.canvas
    return isSwapped ? (luma >> shiftY) * stride : (luma >> shiftX) * bytes
  }

  func offset(ofRow row: Int, stride: Int, bytes: Int) -> Int {
    let luma = downStart + row * downStep * downScale.source / downScale.canvas
    return isSwapped ? (luma >> shiftX) * bytes : (luma >> shiftY) * stride
  }
}
