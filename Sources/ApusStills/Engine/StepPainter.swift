// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusIntra
internal import ApusMedia
internal import ApusThreads
internal import HEIF

/// Decodes one coded picture and paints its pieces.
struct StepPainter {
  let step: PictureStep
  let canvas: Canvas
  /// The number of threads that the decoder may use within the picture.
  let threads: Int
  /// The stream that supplies the rows of the step; `nil` if the step decodes a whole source.
  var stream: RowStream?
  /// Whether no other step can be started at the moment, so that workers may be idle.
  var isLast = false

  /// - Parameter salvaging: whether a picture that could not be decoded at all is painted grey.
  func run(on worker: Worker, salvaging: Bool) throws {
    var isPainted = false
    do {
      try paint(on: worker, &isPainted)
    } catch {
      if salvaging, !isPainted { paintGrey() }
      throw error
    }
  }

  /// Paints grey, using one row for all rows, because damaged data may announce a picture of any size.
  private func paintGrey() {
    var format = step.format
    format.height = 1 << format.chroma.shiftY
    let grey = Picture(format)
    let middle = 1 << (format.bitDepth - 1)
    unsafe grey.fill([middle, middle, middle])
    let planes = unsafe grey.view.planes.map {
      unsafe PictureView.Plane(base: $0.base, stride: 0)
    }
    for piece in step.pieces {
      let painter = Painter(piece: piece)
      guard painter.fits(step.format) else { continue }
      unsafe paint(painter, PictureView(format: step.format, planes: planes), nil)
    }
  }

  private func paint(on worker: Worker, _ isPainted: inout Bool) throws {
    let alpha = try step.alphaSource.map { source throws in
      try copy(of: source, on: worker)
    }
    try unsafe decode(on: worker) { view throws(MediaError) in
      guard unsafe view.format.isRGB == step.source.format.isRGB else {
        let form = unsafe view.format.isRGB ? "red, green and blue" : "luma and chroma"
        throw MediaError(.unsupported, "decodes to \(form), which its file does not declare")
      }
      for piece in step.pieces {
        let painter = Painter(piece: piece)
        guard unsafe painter.fits(view.format) else {
          let format = unsafe view.format
          throw MediaError(
            .corrupt,
            "decodes to \(format.width) × \(format.height), which does not contain the declared "
              + "\(piece.crop.maxX) × \(piece.crop.maxY)")
        }
        unsafe paint(painter, view, alpha)
        isPainted = true
      }
    }
  }

  @unsafe private func paint(_ painter: Painter, _ view: PictureView, _ alpha: Picture?) {
    let layout = step.isAlpha ? canvas.alpha ?? canvas.colour : canvas.colour
    for index in step.step.bands {
      let band = canvas.band(index)
      guard let target = step.isAlpha ? band.alpha : band.colour else { continue }
      unsafe painter.paint(
        view, alpha: alpha?.view, into: target, rows: layout.rows(ofBand: index))
    }
  }

  /// Decodes the planes of another source, which are kept until the pieces are painted.
  private func copy(of source: PlannedSource, on worker: Worker) throws -> Picture {
    let picture = Picture(source.format)
    try unsafe decode(source, on: worker) { view throws(MediaError) in
      let whole = PixelRect(width: source.format.width, height: source.format.height)
      let piece = PlannedPiece(source: 0, crop: whole, orientation: .upright, place: whole)
      let painter = Painter(piece: piece)
      guard unsafe painter.fits(view.format) else {
        throw MediaError(.corrupt, "decodes to less than it declares")
      }
      unsafe painter.paint(view, into: picture, rows: 0..<source.format.height)
    }
    return picture
  }

  /// Decodes the picture of the step.
  private func decode(
    on worker: Worker, _ body: (PictureView) throws(MediaError) -> Void
  ) throws {
    if let stream, let rows = step.step.rows {
      try unsafe stream.decode(rows, on: worker, body)
    } else {
      try unsafe decode(step.source, on: worker, body)
    }
  }

  private func decode(
    _ source: PlannedSource, on worker: Worker,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws {
    let coded = try source.loaded()
    do throws(MediaError) {
      let decoder = try worker.decoder(for: source.codec, threads: threads)
      defer { worker.note(decoder) }
      let others = isLast ? worker.others : nil
      // It is almost always this type, and a cast to the protocol searches all conformances of the program.
      if let automatic = decoder as? AutomaticDecoder {
        automatic.idleWorkers = others
      } else {
        (decoder as? any SharingDecoder)?.idleWorkers = others
      }
      try unsafe decoder.decode(coded, body)
    } catch {
      throw error.inside(source)
    }
  }
}

extension MediaError {
  /// Returns the same error, located in this source.
  func inside(_ source: PlannedSource) -> MediaError {
    var error = self
    error.place = .item(source.name, bytes: source.bytes)
    return error
  }
}

extension PlannedSource {
  /// The range of the source's own sample in the file, from the first extent to the last, without data that was
  /// prepended in memory.
  var bytes: Range<Int>? {
    guard let extents = samples.last, let file = extents.last?.source else { return nil }
    let inFile = extents.filter { $0.source === file }.map(\.range)
    guard let first = inFile.map(\.lowerBound).min(), let last = inFile.map(\.upperBound).max()
    else { return nil }
    return first..<last
  }
}
