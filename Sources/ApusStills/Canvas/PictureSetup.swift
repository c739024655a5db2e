// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEIF

/// A plan with the canvas on which its pieces are painted.
struct PictureSetup: Sendable {
  let plan: PicturePlan
  let canvas: Canvas
  let steps: [PictureStep]

  /// Creates a setup, or throws if the picture would exceed the limits; nothing is allocated before that check.
  ///
  /// - Parameter bandHeight: the height of the canvas' bands; chosen to suit decoding if `nil`.
  init(
    _ plan: PicturePlan, background: [Int], limits: PlanLimits, workers: Int,
    bandHeight: Int? = nil
  ) throws {
    try plan.checkSides(limits)
    self.plan = plan
    let colour = CanvasLayout(plan, bandHeight: bandHeight)
    let alphaPlan = plan.alpha.first?.scaled(toWidth: plan.width, height: plan.height)
    let alpha = alphaPlan.map { CanvasLayout($0, bandHeight: colour.bandHeight) }
    canvas = Canvas(colour: colour, alpha: alpha, background: background)
    let alphaSteps = alphaPlan.flatMap { plan in
      alpha.map { layout in layout.steps.map { PictureStep($0, of: plan, isAlpha: true) } }
    }
    let all = colour.steps.map { PictureStep($0, of: plan, isAlpha: false) } + (alphaSteps ?? [])
    let isLayered = colour.isLayered || alpha?.isLayered == true
    // Layers keep their order.
    steps =
      isLayered
      ? all
      : all.enumerated().sorted {
        // Rows of colours and of alpha alternate, because each comes from a separate decoder.
        ($0.element.step.bands.lowerBound, $0.element.step.firstRow, $0.offset)
          < ($1.element.step.bands.lowerBound, $1.element.step.firstRow, $1.offset)
      }.map(\.element)
    try check(limits, workers: workers)
  }
}

extension PictureSetup {
  /// Creates a setup for a picture that an earlier pass has decoded and kept.
  init(_ plan: PicturePlan, kept: KeptBands) {
    self.plan = plan
    canvas = Canvas(kept: kept)
    steps = []
  }

  /// Creates a setup for a picture that is already decoded.
  ///
  /// - Parameters:
  ///   - plan: has the size and the shape of the picture.
  ///   - bandHeight: the height of its bands; a single band if `nil`.
  init(_ plan: PicturePlan, whole picture: ScaledPicture, bandHeight: Int? = nil) {
    self.plan = plan
    let height = bandHeight ?? (plan.height + 15) & ~15
    let layout = CanvasLayout(plan, bandHeight: height)
    canvas = Canvas(
      painted: (0..<layout.bandCount).map { index in
        let rows = layout.rows(ofBand: index)
        return Canvas.Band(colour: picture.colour.cut(rows), alpha: picture.alpha?.cut(rows))
      },
      colour: layout, alpha: plan.alpha.first.map { CanvasLayout($0, bandHeight: height) })
    steps = []
  }
}

extension Picture {
  /// Returns some rows, beginning with a row of colours; the picture itself if these are all of them.
  fileprivate func cut(_ rows: Range<Int>) -> Picture {
    guard rows.count < format.height else { return self }
    var format = format
    format.height = rows.count
    let part = Picture(format)
    for plane in 0..<format.planeCount {
      let first = plane == 0 ? rows.lowerBound : rows.lowerBound >> format.chroma.shiftY
      let count = format.width(ofPlane: plane) * format.bytesPerSample
      for row in 0..<format.height(ofPlane: plane) {
        let from = unsafe self.plane(plane) + (first + row) * strides[plane]
        unsafe (part.plane(plane) + row * part.strides[plane]).copyMemory(
          from: from, byteCount: count)
      }
    }
    return part
  }
}

/// A step together with the sources it needs.
struct PictureStep: Sendable {
  let step: DecodeStep
  let source: PlannedSource
  /// The format of the picture it decodes: the source, or some of its rows.
  let format: PictureFormat
  let pieces: [PlannedPiece]
  /// The source of the pieces' alpha.
  let alphaSource: PlannedSource?
  /// Whether the step paints the alpha of the canvas.
  let isAlpha: Bool

  init(_ step: DecodeStep, of plan: PicturePlan, isAlpha: Bool) {
    self.step = step
    self.isAlpha = isAlpha
    let source = plan.sources[step.source]
    self.source = source
    var format = source.format
    var pieces = step.pieces.map { plan.pieces[$0] }
    if let rows = step.rows {
      format.height = rows.count
      // The decoded picture begins with the first of these rows.
      for index in pieces.indices {
        pieces[index].crop.height = rows.count
        pieces[index].place.y += rows.lowerBound
        pieces[index].place.height = rows.count
      }
    }
    self.format = format
    self.pieces = pieces
    alphaSource = pieces.first?.alphaSource.map { plan.sources[$0] }
  }

  /// The stream that the step reads; `nil` if it decodes a whole source at once.
  var stream: Int? { step.rows == nil ? nil : 2 * step.source + (isAlpha ? 1 : 0) }
}

extension PictureSetup {
  private func check(_ limits: PlanLimits, workers: Int) throws {
    let decoded = steps.reduce(0) { $0 + $1.format.width * $1.format.height }
    guard decoded <= limits.pixels else {
      throw MediaError(
        .limit,
        "needs \(decoded / 1_000_000 + 1) megapixels decoded, the limit megapixels is "
          + "\(limits.megapixels)")
    }
    // A decoder holds the picture that it decodes and one more for internal use.
    let largest = steps.map { Picture.bytes(of: $0.format) }.max() ?? 0
    let held = steps.filter { $0.step.firstRow == 0 }.reduce(0) { $0 + $1.source.heldBytes }
    let bytes = canvas.windowBytes + 2 * largest * min(workers, steps.count) + held
    guard bytes >> 20 < limits.mebibytes else {
      throw MediaError(
        .limit, "needs \(bytes >> 20 + 1) mebibytes, the limit mebibytes is \(limits.mebibytes)")
    }
  }
}

extension PicturePlan {
  /// Checks the sides of the canvas and of the pictures decoded for it, because bands are that wide.
  fileprivate func checkSides(_ limits: PlanLimits) throws {
    let formats = sources.map(\.format)
    let sides = [(width, height)] + formats.map { ($0.width, $0.height) }
    guard let (width, height) = sides.first(where: { max($0.0, $0.1) > limits.side }) else {
      return
    }
    throw MediaError(
      .limit, of: .input, "has \(width) × \(height) samples, the limit side is \(limits.side)")
  }

  /// Returns the plan with its sources replaced by one that is already decoded, in another size.
  func replaced(by picture: ScaledPicture) -> PicturePlan {
    let format = picture.colour.format
    var plan = self
    plan.fill = nil
    (plan.width, plan.height) = (format.width, format.height)
    let whole = PixelRect(width: format.width, height: format.height)
    plan.sources = [
      PlannedSource(
        name: "the thumbnail", codec: .hevc, configuration: [], samples: [], format: format)
    ]
    plan.pieces = [PlannedPiece(source: 0, crop: whole, orientation: .upright, place: whole)]
    plan.alpha = alpha.prefix(1).map { alpha in
      guard let picture = picture.alpha else { return alpha }
      return alpha.replaced(by: ScaledPicture(colour: picture))
    }
    return plan
  }

  /// Scales the pieces to a canvas with other sides, using the nearest sample.
  fileprivate func scaled(toWidth wanted: Int, height wantedHeight: Int) -> PicturePlan {
    guard width != wanted || height != wantedHeight else { return self }
    var plan = self
    (plan.width, plan.height) = (wanted, wantedHeight)
    plan.pieces = pieces.map { piece in
      var piece = piece
      let left = piece.place.x * wanted / width
      let top = piece.place.y * wantedHeight / height
      piece.place = PixelRect(
        x: left, y: top, width: piece.place.maxX * wanted / width - left,
        height: piece.place.maxY * wantedHeight / height - top)
      return piece
    }
    return plan
  }
}
