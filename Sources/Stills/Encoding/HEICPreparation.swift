// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// Everything that is decided about a picture before it becomes a HEIC.
struct HEICPreparation {
  private(set) var warnings: [String] = []
  private let options: ConvertOptions
  private let workers: Int
  private let plan: PicturePlan
  private let orientation: Orientation
  private let setup: PictureSetup
  private let colour: CodedColour
  private let layout: TileLayout
  private let metadata: PreparedMetadata

  /// - Parameter scaled: the picture where it was made smaller, and upright, before.
  init(
    _ picture: PhotoPicture, in source: any PictureSource, options: ConvertOptions, workers: Int,
    scaled: ScaledPicture? = nil
  ) throws(Refusal) {
    var options = options
    // What the container says of how a picture is laid costs no sample.
    options.keepsOrientationTag = scaled == nil
    self.options = options
    self.workers = workers
    let stored = try reading { () throws(SyntaxError) in try source.plan(picture) }
    warnings += stored.findings.filter { $0.severity != .note }.map(\.message)
    var found = PictureMetadata()
    do throws(Refusal) {
      found = try reading { () throws(SyntaxError) in try source.metadata(of: picture) }
    } catch {
      guard options.salvages else { throw error }
      warnings.append("metadata is left out: \(error.failure.message)")
    }
    warnings += found.findings.filter { $0.severity != .note }.map(\.message)

    if options.hdr == .keep, try Self.hasGainMap(picture, in: source) {
      let loss = Refusal(.unsupported, "a HEIC is written without one")
      guard !options.isStrictAboutHDR else { throw Refusal(gainMap: loss) }
      warnings.append("the gain map is left out: \(loss.failure.message)")
    }

    let placement = Placement(stored, exif: found.exif, options)
    plan = scaled.map { placement.plan.replaced(by: $0) } ?? placement.plan
    orientation = Orientation(exif: placement.tag) ?? .upright
    colour = try CodedColour(plan, options)
    warnings += colour.warnings
    layout = TileLayout(
      width: plan.width, height: plan.height, chroma: colour.format.chroma,
      isSingle: options.heic.isSingle || scaled != nil)
    if let scaled {
      setup = PictureSetup(plan, whole: scaled)
    } else {
      setup = try PictureSetup(
        plan, background: try ColourDecision(plan, options).fill(of: plan), workers: workers,
        bandHeight: layout.bandHeight)
    }
    try setup.check(source.limits, workers: workers)

    var choices = MetadataChoices(width: plan.width, height: plan.height)
    choices.orientation = placement.tag
    choices.strip = MetadataChoices.Strip(options.strip)
    choices.target = .heif
    metadata = PreparedMetadata(
      SourceMetadata(exif: found.exif, xmp: found.xmp, iptc: found.iptc), for: choices)
    warnings += metadata.warnings
  }

  private static func hasGainMap(_ picture: PhotoPicture, in source: any PictureSource)
    throws(Refusal) -> Bool
  {
    guard let photo = source as? JPEGPhoto else {
      return try reading { () throws(SyntaxError) in try source.gainMap(of: picture) } != nil
    }
    return try JPEGParts.parts(of: photo).contains { $0.role == .gainmap }
  }

  func job(_ output: any PhotoOutput, decoderThreads: Int) throws(Refusal) -> PictureJob {
    let coded = planes(colour.format, layout, colour.description, profile: colour.profile)
    try working { () throws(PictureError) in try coded.encoder.check() }
    let encoder = HEICOutput(
      coded, alpha: alpha, isAlphaPremultiplied: plan.isAlphaPremultiplied, thumbnail: thumbnail,
      orientation: orientation, metadata: metadata, taker: output as? any PhotoTaker)
    return PictureJob(
      setup, encoder: encoder, conversion: BandConversion(colour.conversion, ignoresAlpha: true),
      output: output, decoderThreads: setup.steps.count == 1 ? decoderThreads : 1,
      salvages: options.salvages)
  }

  private func planes(
    _ format: PictureFormat, _ layout: TileLayout, _ colour: ColourDescription,
    profile: [UInt8] = []
  ) -> CodedPlanes {
    let encoder = TileEncoder(
      format, layout, colour: colour, quality: options.quality, choices: options.heic,
      workers: workers)
    return CodedPlanes(format, encoder, colour: colour, profile: profile)
  }

  private var alpha: CodedPlanes? {
    guard let alpha = plan.alpha.first, setup.canvas.alpha != nil else { return nil }
    let format = PictureFormat(
      width: plan.width, height: plan.height, chroma: .monochrome,
      bitDepth: colour.format.bitDepth)
    // Cut like the picture, so that a band holds a row of the tiles of both.
    let isFullRange = alpha.colour.description.isFullRange
    return planes(format, layout, ColourDescription(isFullRange: isFullRange))
  }

  private var thumbnail: (small: SmallPicture, coded: CodedPlanes)? {
    guard let side = options.heic.thumbnailSide,
      let small = SmallPicture(of: colour.format, side: side, bandHeight: layout.bandHeight)
    else { return nil }
    let layout = TileLayout(
      width: small.format.width, height: small.format.height, chroma: small.format.chroma,
      isSingle: true)
    return (small, planes(small.format, layout, colour.description, profile: colour.profile))
  }
}
