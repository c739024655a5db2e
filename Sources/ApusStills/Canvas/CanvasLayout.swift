// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEIF

/// The layout of a plan's canvas: the format of its samples, and its division into bands.
struct CanvasLayout: Sendable {
  /// The format of the whole canvas.
  let format: PictureFormat
  /// The number of rows in every band but the last: a multiple of 16, so that a band consists of whole MCUs of any
  /// JPEG.
  let bandHeight: Int
  let bandCount: Int
  /// The pictures to decode, in the order in which bands need them.
  let steps: [DecodeStep]
  /// Whether pieces overlap, so that they have to be painted one after the other.
  let isLayered: Bool

  /// - Parameter bandHeight: the band height of another canvas that this one accompanies.
  init(_ plan: PicturePlan, bandHeight: Int? = nil) {
    format = plan.canvasFormat
    let height = bandHeight ?? Self.bandHeight(of: plan)
    self.bandHeight = height
    bandCount = (plan.height + height - 1) / height
    isLayered = plan.isLayered
    steps = DecodeStep.steps(of: plan, bandHeight: height, isLayered: isLayered)
  }

  /// The number of bands to keep in memory: twice as many as the largest step touches. Rows that are decoded one after
  /// the other may wait in more bands if these are small, so that every worker finds something to encode.
  var window: Int {
    if isLayered { return bandCount }
    let needed = 2 * (steps.map(\.bands.count).max() ?? 1)
    let comesInRows = steps.contains { $0.rows != nil }
    let waiting = comesInRows ? Self.waitingSamples / (format.width * bandHeight) : 0
    return min(max(needed, waiting), bandCount)
  }

  /// The maximum number of luma samples that wait in more than two bands.
  private static let waitingSamples = 1 << 22

  func rows(ofBand index: Int) -> Range<Int> {
    index * bandHeight..<min((index + 1) * bandHeight, format.height)
  }

  func format(ofBand index: Int) -> PictureFormat {
    var band = format
    band.height = rows(ofBand: index).count
    return band
  }

  /// Returns the height of a band: a fraction of a tile if tiles begin at whole bands, so that several workers encode
  /// the last row of tiles; otherwise so little that most tiles begin with a band.
  private static func bandHeight(of plan: PicturePlan) -> Int {
    let (small, most) = (64, 128)
    let tile = plan.pieces.map(\.place.height).max() ?? small
    guard tile % 16 == 0, tile <= 1024, tile < plan.height,
      plan.pieces.allSatisfy({ $0.place.y % tile == 0 })
    else { return small }
    return stride(from: most, through: small, by: -16).first { tile % $0 == 0 } ?? tile
  }
}

extension PicturePlan {
  /// The format in which all pieces fit onto the canvas without resampling colour: the sources' format if they agree
  /// and pieces begin at whole colour samples, otherwise 4:4:4.
  var canvasFormat: PictureFormat {
    let used = Set(pieces.map(\.source)).map { sources[$0].format }
    let depth = used.map(\.bitDepth).max() ?? 8
    let chroma = used.first?.chroma ?? .monochrome
    let isUniform = used.allSatisfy { $0.chroma == chroma }
    let keeps = isUniform && pieces.allSatisfy { $0.keepsChroma(chroma) }
    let hasColourFill = fill.map { $0[0] != $0[1] || $0[1] != $0[2] } ?? false
    var format = PictureFormat(
      width: width, height: height, chroma: keeps && !hasColourFill ? chroma : .yuv444,
      bitDepth: depth)
    format.isRGB = !used.isEmpty && used.allSatisfy(\.isRGB)
    return format
  }

  /// Returns the plan of a canvas that extends one colour sample beyond this one wherever the picture does, and this
  /// canvas' rectangle in it. The larger canvas begins where colour samples can stay in place.
  func withMargins() -> (plan: PicturePlan, kept: PixelRect)? {
    let all = [(2, 2), (3, 2), (2, 3), (3, 3)].compactMap { uncut(by: (left: $0.0, top: $0.1)) }
    return all.first { $0.plan.canvasFormat.chroma == .yuv420 }
      ?? all.first { $0.plan.canvasFormat.chroma == .yuv422 }
  }

  /// The position of colour samples on the canvas: that of its first piece, after rotation.
  var canvasSite: ChromaSite {
    pieces.first.map { sources[$0.source].site.oriented($0.orientation) } ?? .left
  }

  /// Whether any two pieces overlap.
  var isLayered: Bool {
    let order = pieces.map(\.place).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    var open: [PixelRect] = []
    for place in order {
      open.removeAll { $0.maxY <= place.y }
      if open.contains(where: { !$0.intersection(place).isEmpty }) { return true }
      open.append(place)
    }
    return false
  }
}

extension PlannedPiece {
  /// Returns whether pairs of luma samples that share a colour sample still do so on the canvas.
  fileprivate func keepsChroma(_ chroma: Chroma) -> Bool {
    guard chroma == .yuv420 || chroma == .yuv422 else { return true }
    if orientation.swapsSides, chroma == .yuv422 { return false }
    // The first corner of the crop and its position on the canvas must both be even.
    let flips = orientation.flips
    let first = (x: flips.x ? crop.maxX : crop.x, y: flips.y ? crop.maxY : crop.y)
    guard place.x % 2 == 0, first.x % 2 == 0 else { return false }
    return chroma == .yuv422 || (place.y % 2 == 0 && first.y % 2 == 0)
  }
}

extension Orientation {
  /// Whether the columns and the rows of the stored picture are read backwards when the canvas is filled from its first
  /// sample.
  var flips: (x: Bool, y: Bool) {
    // In the stored picture, the last row comes first after a turn of 90° clockwise; the last column, after 270°.
    let turned = [(false, false), (false, true), (true, true), (true, false)][quarterTurns]
    return (turned.0 != isMirrored, turned.1)
  }
}
