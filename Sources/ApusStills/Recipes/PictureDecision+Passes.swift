// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

extension PictureDecision {
  /// Returns the plan for a pass; `nil` if its result is known or not needed.
  func plan(_ pass: Pass) throws -> PlannedPass? {
    let format = setup.plan.canvasFormat
    let bandHeight = setup.canvas.colour.bandHeight
    switch pass {
    case .size: return try options.bounds.flatMap(sizePass)
    case .mapTowardsSDR: return try gainMap?.decodingPass(isTowardsSDR: true)
    case .appliedMap: return try gainMap?.decodingPass(isTowardsSDR: false)
    case .gainMap:
      return try options.format == .heic ? gainMap?.heicPass(colour) : gainMap?.jpegPass()
    case .peak:
      guard results.mapTowardsSDR == nil,
        let meter = try PeakMeter(format, colour: colour.source)
      else { return nil }
      let pass = PeakOutput(meter, of: setup, options: options, limits: picture.source.limits)
      return PlannedPass(pass: pass, setup: setup)
    case .computedMap:
      guard results.gainMap == nil, let peak = results.peak,
        let computation = try GainComputation(format, colour: colour.source, peak: peak)
      else { return nil }
      let pass = try GainMapOutput(
        computing: computation, height: format.height, bandHeight: bandHeight,
        quality: options.gainMapQuality)
      return PlannedPass(pass: pass, setup: setup)
    case .thumbnail:
      let samples = colour.conversion?.outputFormat(height: format.height) ?? format
      return PlannedPass(
        pass: ThumbnailOutput(of: samples, bandHeight: bandHeight), setup: setup,
        conversion: colour.conversion)
    case .auxiliary(let found): return try companionPass(found)
    }
  }

  private func sizePass(_ bounds: PictureBounds) throws -> PlannedPass? {
    let format = setup.plan.canvasFormat
    let (alpha, bandHeight) = (setup.canvas.alpha?.format, setup.canvas.colour.bandHeight)
    func scaled(to small: PictureFormat) -> ScaledOutput {
      ScaledOutput(format, alpha: alpha, bandHeight: bandHeight, to: small)
    }
    if let sizes = picture.sizes {
      let outputs = sizes.sides.compactMap { side in
        smallFormat(PictureBounds(width: side, height: side)).map { (side, scaled(to: $0)) }
      }
      let next = max(bounds.width, bounds.height)
      return PlannedPass(pass: SizesOutput(outputs, sizes, next: next), setup: setup)
    }
    guard let small = smallFormat(bounds) else { return nil }
    guard small.width > format.width || small.height > format.height else {
      return PlannedPass(pass: scaled(to: small), setup: setup)
    }
    let limits = picture.source.limits
    guard small.width * small.height <= limits.pixels else {
      throw MediaError(
        .limit,
        "\(small.width) × \(small.height) samples exceed the limit megapixels of \(limits.megapixels)"
      )
    }
    let output = EnlargedOutput(format, alpha: alpha, bandHeight: bandHeight, to: small)
    return PlannedPass(pass: output, setup: setup)
  }

  /// Returns the format of the picture within bounds; `nil` if it fits already. If colour will not be subsampled for a
  /// JPEG, it gets the resolution of luma; planes that are written unchanged keep their subsampling.
  private func smallFormat(_ bounds: PictureBounds) -> PictureFormat? {
    let canvas = setup.plan.canvasFormat
    guard let sides = bounds.fitted((canvas.width, canvas.height)) else { return nil }
    var small = canvas
    (small.width, small.height) = sides
    if options.format == .heic, options.heic.isSingle, options.job.thumbnail != nil,
      let alone = colour.format.reduced(to: max(sides.width, sides.height))
    {
      (small.width, small.height) = (alone.width, alone.height)
    }
    let keepsChroma =
      options.format == .yuv || options.format == .jpeg && colour.chroma == canvas.chroma
    if canvas.chroma != .monochrome, !keepsChroma { small.chroma = .yuv444 }
    return small
  }

  /// Returns the pass that codes an auxiliary picture of numbers, which accompanies this one into a HEIC.
  private func companionPass(_ found: FoundAuxiliary) throws -> PlannedPass {
    guard AuxiliaryKind(urn: found.urn) != nil else {
      throw MediaError(.unsupported, "the meaning of its samples is unknown")
    }
    var plan = try found.source.plan(found.picture)
    plan = plan.laid(placement.change)
    plan.alpha = []
    var format = plan.canvasFormat
    format.isRGB = false
    (format.chroma, format.bitDepth) = (.monochrome, format.bitDepth > 8 ? 10 : 8)
    let coded = try CodedPlanes(
      companion: format,
      colour: ColourDescription(isFullRange: plan.colour.description.isFullRange),
      options: options, workers: workers)
    let setup = try PictureSetup(
      plan, background: [], limits: found.source.limits, workers: workers,
      bandHeight: coded.encoder.layout.bandHeight)
    let output = CompanionOutput(
      coded, prepare: { [depth = format.bitDepth] in $0.picture.withBitDepth(depth) },
      result: { [xmp = xmp(of: found, plan)] picture, results in
        guard let picture else { return }
        var auxiliary = NewAuxiliary(picture, .auxiliary(urn: found.urn, subtype: found.subtype))
        auxiliary.xmp = xmp
        results.auxiliaries.append(auxiliary)
      })
    return PlannedPass(pass: output, setup: setup, subject: .auxiliary(found.name))
  }

  /// Returns the XMP that describes the meaning of the numbers, without metadata to be stripped.
  private func xmp(of found: FoundAuxiliary, _ plan: PicturePlan) -> [UInt8] {
    switch options.strip {
    case .nothing: return found.xmp ?? []
    case .all: return []
    case .gps:
      var choices = MetadataChoices(width: plan.width, height: plan.height)
      choices.strip = .gps
      choices.target = .heif
      var source = SourceMetadata()
      source.xmp = found.xmp ?? []
      return PreparedMetadata(source, for: choices).xmp ?? []
    }
  }
}
