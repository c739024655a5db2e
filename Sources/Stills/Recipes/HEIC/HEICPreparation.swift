// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import Media
internal import Metadata

/// The decisions about a picture that is converted to HEIC.
struct HEICPreparation {
  /// The warnings, including the losses in first passes.
  var warnings: [String] {
    said + (results.codedGainMap?.notes ?? [])
      + (results.gainMapLoss.map { ["the gain map is left out: \($0)"] } ?? [])
      + results.auxiliaries.compactMap { if case .dropped(let reason) = $0 { reason } else { nil } }
  }

  private var said: [String] = []
  private let options: ConvertOptions
  private let workers: Int
  private let limits: PlanLimits
  private let plan: PicturePlan
  private let orientation: Orientation
  private let setup: PictureSetup
  private let colour: CodedColour
  private let layout: TileLayout
  private let metadata: PreparedMetadata
  private let placement: Placement
  private(set) var results: PassResults
  /// The gain map of the picture, if it has yet to be coded.
  private var gainMap: GainMapPreparation?
  /// The auxiliary pictures that accompany it.
  private let auxiliaries: [FoundAuxiliary]

  /// - Parameter results: the results of earlier passes: the reduced and upright picture, if it was reduced, and the
  ///   pictures that accompany it.
  init(
    _ picture: PhotoPicture, in source: any PictureSource, options: ConvertOptions, workers: Int,
    results: PassResults
  ) throws {
    let scaled = results.scaled
    var results = results
    var options = options
    // Orientation properties of the container need no change of samples.
    options.keepsOrientationTag = scaled == nil
    self.options = options
    self.workers = workers
    limits = source.limits
    let placement = try Placement(picture, in: source, options)
    self.placement = placement
    said += placement.defects
    plan = scaled.map { placement.plan.replaced(by: $0) } ?? placement.plan
    orientation = Orientation(exif: placement.tag) ?? .upright
    colour = try CodedColour(plan, options, results: results)
    said += colour.warnings
    layout = TileLayout(
      width: plan.width, height: plan.height, chroma: colour.format.chroma,
      isSingle: options.heic.isSingle, isFrame: options.heic.frameRate != nil)
    if let scaled {
      setup = PictureSetup(plan, whole: scaled, bandHeight: layout.bandHeight)
    } else if let kept = results.kept {
      setup = PictureSetup(plan, kept: kept)
    } else {
      setup = try PictureSetup(
        plan, background: try ColourDecision(plan, options).fill(of: plan), limits: source.limits,
        workers: workers, bandHeight: layout.bandHeight)
    }

    var base = GainMapPreparation.Base(placement: placement, isHDR: colour.source.isHDR)
    if case .isColour = results.gainMap { base.mapIsColour = true }
    gainMap = try Self.gainMap(of: picture, in: source, base, options, workers, &results)
    auxiliaries = options.keepsAuxiliaries ? try source.auxiliaries(of: picture) : []

    var choices = MetadataChoices(width: plan.width, height: plan.height)
    choices.orientation = placement.tag
    choices.strip = MetadataChoices.Strip(options.strip)
    choices.target = .heif
    choices.hasVideoBeside = options.hasVideoBeside
    // A lost gain map has been reported already.
    choices.holdsGainMap = results.codedGainMap != nil || results.gainMapLoss != nil
    metadata = PreparedMetadata(SourceMetadata(placement.metadata), for: choices)
    self.results = results
    said += metadata.warnings
  }

  /// Returns the gain map if it has yet to be coded, or to be decoded for an SDR picture; `nil` if neither applies.
  private static func gainMap(
    of picture: PhotoPicture, in source: any PictureSource, _ base: GainMapPreparation.Base,
    _ options: ConvertOptions, _ workers: Int, _ results: inout PassResults
  ) throws -> GainMapPreparation? {
    let isWanted =
      options.writesGainMaps
      ? results.codedGainMap == nil
      : base.isHDR && !options.keepsHDRSamples && results.mapTowardsSDR == nil
    guard isWanted, results.gainMapLoss == nil else { return nil }
    do {
      let found = try GainMapPreparation(
        picture, in: source, base, options: options, workers: workers)
      guard found == nil || options.heic.frameRate == nil || !options.writesGainMaps else {
        throw MediaError(.unsupported, "a sequence cannot have one")
      }
      return found
    } catch {
      try results.drop(gainMap: error, options)
      return nil
    }
  }

  /// Returns the next pass, which finds something out or codes an accompanying picture; `nil` if all passes are done or
  /// omitted.
  mutating func firstPass() throws -> PlannedPass? {
    do {
      if let gainMap, options.writesGainMaps { return try gainMap.heicPass(colour) }
      if let gainMap {
        return try gainMap.decodingPass(isTowardsSDR: true)
      }
    } catch {
      try results.drop(gainMap: error, options)
      gainMap = nil
    }
    if !options.keepsHDRSamples, results.peak == nil, results.mapTowardsSDR == nil {
      let meter = try PeakMeter(plan.canvasFormat, colour: colour.source)
      if let meter {
        let pass = PeakOutput(meter, of: setup, options: options, limits: limits)
        return PlannedPass(pass: pass, setup: setup)
      }
    }
    while results.auxiliaries.count < auxiliaries.count {
      let next = auxiliaries[results.auxiliaries.count]
      do {
        return try AuxiliaryPreparation(
          next, placement: placement, options: options, workers: workers
        ).pass
      } catch {
        results.drop(auxiliary: next.name, error)
      }
    }
    return nil
  }

  /// Returns the warnings known before decoding. Throws if nothing would be decoded.
  mutating func warningsBefore() throws -> [String] {
    _ = try firstPass()
    for next in auxiliaries.dropFirst(results.auxiliaries.count) {
      do {
        _ = try AuxiliaryPreparation(
          next, placement: placement, options: options, workers: workers
        ).pass
      } catch {
        results.drop(auxiliary: next.name, error)
      }
    }
    return warnings
  }

  func recipe(_ output: any PhotoOutput) throws -> Recipe {
    let coded = planes(
      colour.format, layout, colour.description, site: colour.site, profile: colour.profile)
    try coded.encoder.check()
    var companions = results.codedGainMap.map { [$0.auxiliary] } ?? []
    for case .made(let auxiliary) in results.auxiliaries { companions.append(auxiliary) }
    let encoder = HEICOutput(
      coded, alpha: alpha, isAlphaPremultiplied: plan.isAlphaPremultiplied, thumbnail: thumbnail,
      companions: companions, orientation: orientation, metadata: metadata,
      taker: output as? any PhotoTaker)
    let conversion = BandConversion(colour.conversion, ignoresAlpha: true)
    return Recipe(
      setup: setup,
      maker: PictureMaker(encoder: encoder, conversion: conversion, output: output),
      salvages: options.salvages)
  }

  private func planes(
    _ format: PictureFormat, _ layout: TileLayout, _ colour: ColourDescription,
    site: ChromaSite? = nil, profile: [UInt8] = []
  ) -> CodedPlanes {
    let encoder = TileEncoder(
      format, layout, colour: colour, site: site, quality: options.quality, choices: options.heic,
      workers: workers)
    return CodedPlanes(format, encoder, colour: colour, profile: profile)
  }

  private var alpha: CodedPlanes? {
    guard !options.heic.dropsAlpha, let alpha = plan.alpha.first, setup.canvas.alpha != nil else {
      return nil
    }
    let format = PictureFormat(
      width: plan.width, height: plan.height, chroma: .monochrome,
      bitDepth: colour.format.bitDepth)
    // The bands are those of the picture, so that each contains a row of tiles of both.
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
    let site = (colour.site ?? .left).scaled(from: colour.format.width, to: small.format.width)
    return (
      small,
      planes(
        small.format, layout, colour.description, site: site == .left ? nil : site,
        profile: colour.profile)
    )
  }
}

extension ConvertOptions {
  /// Whether depth and mattes are kept with a picture.
  fileprivate var keepsAuxiliaries: Bool {
    thumbnail == nil && parts == nil && heic.frameRate == nil
  }
}
