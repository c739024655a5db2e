// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import ApusWebP
internal import Bytes
internal import Colour
internal import HEIF
internal import Media
internal import Metadata

/// The decisions about one picture, made before its first tile is decoded.
struct PicturePreparation {
  private(set) var warnings: [String] = []
  private let options: ConvertOptions
  private let workers: Int
  private let limits: PlanLimits
  private let setup: PictureSetup
  private let colour: ColourDecision
  private let metadata: PreparedMetadata
  private(set) var results: PassResults
  private let sizes: PictureSizes?
  private let texts: [(keyword: String, text: String)]
  /// The gain map of the file, if a pass over it is still needed.
  private var gainMap: GainMapPreparation?

  /// - Parameters:
  ///   - texts: keywords and texts about the photo for a PNG.
  ///   - video: the video to write after the picture.
  ///   - sizes: the other sizes in which it is made.
  ///   - results: the results of earlier passes.
  init(
    _ picture: PhotoPicture, in file: any PictureSource, options: ConvertOptions, workers: Int,
    texts: [(keyword: String, text: String)] = [], video: LiveVideo? = nil,
    sizes: PictureSizes? = nil, results: PassResults = PassResults()
  ) throws {
    self.texts = texts
    self.options = options
    self.workers = workers
    limits = file.limits
    self.results = results
    self.sizes = sizes
    let placement = try Placement(picture, in: file, options)
    warnings += placement.defects + placement.warnings
    var plan = placement.plan
    if let scaled = results.scaled { plan = plan.replaced(by: scaled) }
    let colour = try ColourDecision(plan, options, results: results)
    if options.format != .heic, options.plane == nil,
      !colour.colour.source.isHDR || !options.keepsHDRSamples
    {
      var base = GainMapPreparation.Base(
        placement: placement, isHDR: colour.colour.source.isHDR)
      if case .isColour = results.gainMap { base.mapIsColour = true }
      do {
        gainMap = try Self.gainMap(results, options, isHDR: base.isHDR) { () throws in
          try GainMapPreparation(picture, in: file, base, options: options, workers: workers)
        }
      } catch {
        try self.results.drop(gainMap: error, options)
      }
    }
    if gainMap != nil, options.crop != nil {
      gainMap = nil
      try self.results.drop(
        gainMap: MediaError(.unsupported, "it applies to the whole picture"), options)
    }
    if let reason = self.results.gainMapLoss {
      warnings.append("the gain map is left out: \(reason)")
    }
    self.colour = colour
    warnings += colour.warnings
    if let scaled = results.scaled {
      setup = PictureSetup(plan, whole: scaled)
    } else if let kept = results.kept {
      setup = PictureSetup(plan, kept: kept)
    } else {
      setup = try PictureSetup(
        plan, background: try colour.fill(of: plan), limits: file.limits, workers: workers)
    }

    var choices = MetadataChoices(width: plan.width, height: plan.height)
    choices.orientation = placement.tag
    choices.thumbnail = results.thumbnail
    choices.gainMap = results.encodedGainMap.map { map in
      AppendedGainMap(
        size: map.bytes.count, isInXMP: map.description.parameters.usesBaseColour)
    }
    choices.video = video?.appended
    choices.hasVideoBeside = options.hasVideoBeside
    choices.strip = MetadataChoices.Strip(options.strip)
    choices.target = MetadataChoices.Target(options.format)
    var source = SourceMetadata(placement.metadata)
    source.icc = colour.profile
    metadata = PreparedMetadata(source, for: choices)
    warnings += metadata.warnings
  }

  /// Returns the pass that is needed before the picture can be made; `nil` if all is known.
  func firstPass() throws -> PlannedPass? {
    let format = setup.plan.canvasFormat
    let bandHeight = setup.canvas.colour.bandHeight
    if results.scaled == nil, let bounds = options.bounds,
      let small = smallFormat(of: format, bounds)
    {
      guard let sizes else {
        guard small.width > format.width || small.height > format.height else {
          return PlannedPass(pass: scaledOutput(small, bandHeight: bandHeight), setup: setup)
        }
        guard small.width * small.height <= limits.pixels else {
          throw MediaError(
            .limit,
            "\(small.width) × \(small.height) samples exceed the limit megapixels of \(limits.megapixels)"
          )
        }
        let output = EnlargedOutput(
          format, alpha: setup.canvas.alpha?.format, bandHeight: bandHeight, to: small)
        return PlannedPass(pass: output, setup: setup)
      }
      let outputs = sizes.sides.compactMap { side in
        smallFormat(of: format, PictureBounds(width: side, height: side)).map {
          (side, scaledOutput($0, bandHeight: bandHeight))
        }
      }
      return PlannedPass(
        pass: SizesOutput(outputs, sizes, next: max(bounds.width, bounds.height)), setup: setup)
    }
    guard options.plane == nil else { return nil }
    let source = colour.colour.source
    if let gainMap {
      let decodes = source.isHDR ? results.mapTowardsSDR == nil : options.hdr == .apply
      guard decodes else { return try gainMap.jpegPass() }
      return try gainMap.decodingPass(isTowardsSDR: source.isHDR)
    }
    if results.peak == nil, results.mapTowardsSDR == nil, !options.keepsHDRSamples {
      let meter = try PeakMeter(format, colour: source)
      if let meter {
        let pass = PeakOutput(meter, of: setup, options: options, limits: limits)
        return PlannedPass(pass: pass, setup: setup)
      }
    }
    if results.gainMap == nil, options.writesGainMaps, let peak = results.peak {
      let computation = try GainComputation(format, colour: source, peak: peak)
      if let computation {
        let output = try GainComputationOutput(
          computation, height: format.height, bandHeight: bandHeight,
          quality: options.gainMapQuality)
        return PlannedPass(pass: output, setup: setup)
      }
    }
    if results.thumbnail == nil, options.makesThumbnail, options.format == .jpeg,
      options.strip != .all
    {
      let samples = colour.conversion?.outputFormat(height: format.height) ?? format
      return PlannedPass(
        pass: ThumbnailOutput(of: samples, bandHeight: bandHeight), setup: setup,
        conversion: colour.conversion)
    }
    return nil
  }

  private func scaledOutput(_ format: PictureFormat, bandHeight: Int) -> ScaledOutput {
    ScaledOutput(
      setup.plan.canvasFormat, alpha: setup.canvas.alpha?.format, bandHeight: bandHeight,
      to: format)
  }

  /// Returns the format of the picture within bounds; `nil` if it fits already. If colour will not be subsampled for a
  /// JPEG, it gets the resolution of luma; planes that are written unchanged keep their subsampling.
  private func smallFormat(of canvas: PictureFormat, _ bounds: PictureBounds) -> PictureFormat? {
    guard let sides = bounds.fitted((canvas.width, canvas.height)) else { return nil }
    var small = canvas
    (small.width, small.height) = sides
    let keepsChroma =
      options.format == .yuv || options.format == .jpeg && colour.chroma == canvas.chroma
    if canvas.chroma != .monochrome, !keepsChroma { small.chroma = .yuv444 }
    return small
  }

  /// Returns the recipe for the picture itself, which idle workers can begin to decode during this pass; `nil` if
  /// further passes are needed.
  func recipe(ahead pass: PlannedPass) -> Recipe? {
    guard pass.subject == .gainMap, workers > 1, !colour.colour.source.isHDR,
      !options.makesThumbnail
    else { return nil }
    return Recipe(setup: setup, salvages: options.salvages)
  }

  func recipe(_ output: any PhotoOutput) throws -> Recipe {
    if let recipe = try recipeOfPart(output) { return recipe }
    var encoder = try makeEncoder(output)
    if let map = results.encodedGainMap { encoder = UltraHDROutput(encoder, map: map) }
    let conversion = BandConversion(options.plane == nil ? colour.conversion : nil)
    return Recipe(
      setup: setup,
      maker: PictureMaker(encoder: encoder, conversion: conversion, output: output),
      salvages: options.salvages)
  }

  /// Returns the recipe for a part of the picture whose colours at the edges equal those in the whole picture; `nil` if
  /// there is nothing beyond the edges, or nothing is interpolated.
  private func recipeOfPart(_ output: any PhotoOutput) throws -> Recipe? {
    guard [.png, .ppm, .webp].contains(options.format), options.plane == nil, results.scaled == nil,
      options.hdr != .apply, results.mapTowardsSDR == nil,
      let (plan, kept) = setup.plan.withMargins()
    else { return nil }
    let wide = try ColourDecision(plan, options, results: results)
    guard let conversion = wide.conversion, conversion.interpolates else { return nil }
    let part = try PictureSetup(
      plan, background: try wide.fill(of: plan), limits: limits, workers: workers)
    let pixel = conversion.outputFormat(height: 1)
    let encoder = CutOutput(
      try makeEncoder(output), kept: kept, bandHeight: part.canvas.colour.bandHeight,
      pixel: pixel.width * pixel.bytesPerSample / plan.width)
    var recipe = Recipe(
      setup: part,
      maker: PictureMaker(
        encoder: encoder, conversion: BandConversion(conversion), output: output),
      salvages: options.salvages)
    recipe.size = (kept.width, kept.height)
    return recipe
  }

  /// Returns the gain map if it has yet to be made; `nil` if not.
  private static func gainMap(
    _ results: PassResults, _ options: ConvertOptions, isHDR: Bool,
    _ preparation: () throws -> GainMapPreparation?
  ) throws -> GainMapPreparation? {
    guard results.gainMapLoss == nil else { return nil }
    switch results.gainMap {
    case .made, .coded, .decoded: return nil
    case .isColour: return try preparation()
    case nil: break
    }
    if isHDR {
      // Without a map the picture is tone mapped, whatever the choice of HDR.
      return results.mapTowardsSDR == nil || options.writesGainMaps ? try preparation() : nil
    }
    if options.writesGainMaps || options.hdr == .apply { return try preparation() }
    guard options.isStrictAboutHDR, options.hdr == .keep, try preparation() != nil else {
      return nil
    }
    throw MediaError(.unsupported, "a \(options.format.rawValue) cannot have one")
  }

  private func makeEncoder(_ output: any PhotoOutput) throws -> any PictureEncoder {
    let plan = setup.plan
    if let table = options.plane {
      return try PlaneOutput(width: plan.width, height: plan.height, table)
    }
    switch options.format {
    case .yuv: return RawOutput()
    case .heic:
      throw MediaError(.misuse, "a HEIC is prepared otherwise")
    case .ppm:
      return PixmapOutput(width: plan.width, height: plan.height, isGray: colour.isGrey)
    case .png:
      if let output = output as? SampleDestination {
        try output.receiver.begin(pngLayout)
        return SampleOutput()
      }
      return try PNGOutput(
        pngLayout, colour: colour, metadata: metadata, texts: texts,
        compression: options.pngCompression, digests: options.verifies)
    case .webp:
      let settings = WebPSettings(
        width: plan.width, height: plan.height, hasAlpha: colour.hasAlpha,
        quality: options.quality)
      return try WebPOutput(settings, metadata: metadata)
    case .jpeg:
      let segments = metadata.jpegSegments()
      let bandHeight = setup.canvas.colour.bandHeight
      var settings = JPEGSettings(
        width: plan.width, height: plan.height, chroma: colour.chroma, quality: options.quality)
      settings.isProgressive = options.isProgressive
      settings.isOptimized = options.isOptimized
      settings.hasFurtherPictures = results.encodedGainMap != nil
      guard options.isProgressive || options.isOptimized else {
        try settings.cut(intoBandsOf: bandHeight)
        return JPEGOutput(settings, segments: segments, bandHeight: bandHeight)
      }
      return try JPEGWholeOutput(settings, segments: segments)
    }
  }
}

extension PicturePreparation {
  /// The sample layout of a PNG, and its profile.
  var pngForm: (layout: SampleLayout, profile: [UInt8]?) {
    var layout = pngLayout
    if results.scaled == nil, let sides = options.bounds?.fitted((layout.width, layout.height)) {
      (layout.width, layout.height) = sides
    }
    return (layout, metadata.icc)
  }

  /// The sample layout of a PNG.
  private var pngLayout: SampleLayout {
    let channels: SampleLayout.Channels =
      colour.hasAlpha
      ? (colour.isGrey ? .grayAlpha : .rgba) : (colour.isGrey ? .gray : .rgb)
    let isDeep = setup.plan.canvasFormat.bitDepth > 8 || colour.isRendered
    return SampleLayout(
      width: setup.plan.width, height: setup.plan.height, channels: channels,
      bitsPerChannel: isDeep ? 16 : 8)
  }
}

extension SourceMetadata {
  init(_ found: PictureMetadata) { self.init(exif: found.exif, xmp: found.xmp, iptc: found.iptc) }
}

extension MetadataChoices.Target {
  init(_ format: OutputFormat) {
    switch format {
    case .png: self = .png
    case .webp: self = .webp
    default: self = .jpeg
    }
  }
}

extension MetadataChoices.Strip {
  init(_ choice: StripChoice) {
    switch choice {
    case .nothing: self = .nothing
    case .gps: self = .gps
    case .all: self = .all
    }
  }
}
