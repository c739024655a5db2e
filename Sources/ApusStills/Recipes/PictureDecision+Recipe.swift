// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import ApusWebP
internal import HEIF

extension PictureDecision {
  /// Returns the recipe for the picture, once no pass is left.
  mutating func recipe(_ output: any PhotoOutput) throws -> Recipe {
    if let recipe = try recipeOfPart(output) { return recipe }
    var encoder = try encoder(output)
    if options.format == .jpeg, let map = results.gainMap {
      encoder = UltraHDROutput(encoder, map: map.jpeg)
    }
    let conversion = BandConversion(
      picture.plane == nil ? colour.conversion : nil, ignoresAlpha: options.format == .heic)
    return recipe(setup, encoder, conversion, output)
  }

  private func recipe(
    _ setup: PictureSetup, _ encoder: any PictureEncoder, _ conversion: BandConversion,
    _ output: any PhotoOutput
  ) -> Recipe {
    Recipe(
      setup: setup,
      maker: PictureMaker(encoder: encoder, conversion: conversion, output: output),
      salvages: options.salvages)
  }

  /// Returns the recipe for a part of the picture whose colours at the edges equal those in the whole picture; `nil` if
  /// there is nothing beyond the edges, or nothing is interpolated.
  private mutating func recipeOfPart(_ output: any PhotoOutput) throws -> Recipe? {
    guard [.png, .ppm, .webp].contains(options.format), picture.plane == nil, results.scaled == nil,
      options.hdr != .apply, results.mapTowardsSDR == nil,
      let (plan, kept) = setup.plan.withMargins()
    else { return nil }
    let wide = try ColourDecision(plan, options, results: results)
    guard let conversion = wide.conversion, conversion.interpolates else { return nil }
    let part = try PictureSetup(
      plan, background: try wide.fill(of: plan), limits: picture.source.limits, workers: workers)
    let pixel = conversion.outputFormat(height: 1)
    let encoder = CutOutput(
      try encoder(output), kept: kept, bandHeight: part.canvas.colour.bandHeight,
      pixel: pixel.width * pixel.bytesPerSample / plan.width)
    var recipe = recipe(part, encoder, BandConversion(conversion), output)
    recipe.size = (kept.width, kept.height)
    return recipe
  }

  private mutating func encoder(_ output: any PhotoOutput) throws -> any PictureEncoder {
    let (width, height) = (setup.plan.width, setup.plan.height)
    if let table = picture.plane { return try PlaneOutput(width: width, height: height, table) }
    switch options.format {
    case .yuv: return RawOutput()
    case .ppm: return PixmapOutput(width: width, height: height, isGray: colour.isGrey)
    case .png:
      if let output = output as? SampleDestination {
        try output.receiver.begin(pngLayout)
        if let rows = output.receiver as? PixelRows {
          let (metadata, colour) = (metadata, colour)
          rows.hold {
            ($0.exif, $0.xmp, $0.profile) = (metadata.exif, metadata.xmp, metadata.icc)
            $0.colour = colour.keptHDR
          }
        }
        return SampleOutput()
      }
      return try PNGOutput(
        pngLayout, colour: colour, metadata: metadata, texts: picture.texts,
        compression: options.pngCompression, digests: options.verifies)
    case .webp:
      let settings = WebPSettings(
        width: width, height: height, hasAlpha: colour.hasAlpha, quality: options.quality)
      return try WebPOutput(settings, metadata: metadata)
    case .jpeg:
      let segments = metadata.jpegSegments()
      let bandHeight = setup.canvas.colour.bandHeight
      var settings = JPEGSettings(
        width: width, height: height, chroma: colour.chroma, quality: options.quality)
      settings.isProgressive = options.isProgressive
      settings.isOptimized = options.isOptimized
      settings.hasFurtherPictures = results.gainMap != nil
      guard options.isProgressive || options.isOptimized else {
        try settings.cut(intoBandsOf: bandHeight)
        return JPEGOutput(settings, segments: segments, bandHeight: bandHeight)
      }
      return try JPEGWholeOutput(settings, segments: segments)
    case .heic: return try heicEncoder(taker: output as? any PhotoTaker)
    }
  }

  /// Returns the sample layout of a PNG, and its profile.
  mutating func pngForm() -> (layout: SampleLayout, profile: [UInt8]?) {
    var layout = pngLayout
    if results.scaled == nil, let sides = options.bounds?.fitted((layout.width, layout.height)) {
      (layout.width, layout.height) = sides
    }
    return (layout, metadata.icc)
  }

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

// MARK: - HEIC

extension PictureDecision {
  private mutating func heicEncoder(taker: (any PhotoTaker)?) throws -> HEICOutput {
    let layout = TileLayout(colour.format, options.heic)
    let coded = planes(
      colour.format, layout, colour.description, site: colour.site, profile: colour.profile ?? [])
    try coded.encoder.check()
    return HEICOutput(
      coded, alpha: alpha(layout), isAlphaPremultiplied: setup.plan.isAlphaPremultiplied,
      thumbnails: options.heic.thumbnailSides.compactMap { thumbnail(layout, side: $0) },
      companions: (results.gainMap?.item.map { [$0] } ?? []) + results.auxiliaries,
      orientation: Orientation(exif: placement.tag) ?? .upright, metadata: metadata, taker: taker)
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

  /// - Parameter layout: the tiles of the picture, so that each band contains a row of tiles of both.
  private func alpha(_ layout: TileLayout) -> CodedPlanes? {
    guard !options.heic.dropsAlpha, let alpha = setup.plan.alpha.first, setup.canvas.alpha != nil
    else { return nil }
    let format = PictureFormat(
      width: layout.width, height: layout.height, chroma: .monochrome,
      bitDepth: colour.format.bitDepth)
    let isFullRange = alpha.colour.description.isFullRange
    return planes(format, layout, ColourDescription(isFullRange: isFullRange))
  }

  private func thumbnail(_ whole: TileLayout, side: Int) -> (
    small: PictureScaler, coded: CodedPlanes
  )? {
    guard let small = colour.format.reduced(to: side) else { return nil }
    let layout = TileLayout(
      width: small.width, height: small.height, chroma: small.chroma, isSingle: true)
    let site = (colour.site ?? .left).scaled(from: colour.format.width, to: small.width)
    return (
      PictureScaler(colour.format, to: small, bandHeight: whole.bandHeight),
      planes(
        small, layout, colour.description, site: site == .left ? nil : site,
        profile: colour.profile ?? [])
    )
  }
}

extension PictureFormat {
  /// Returns the format of a picture with a longer side of this length; `nil` if it is that small already.
  func reduced(to side: Int) -> PictureFormat? {
    let longer = max(width, height)
    guard side > 0, longer > side else { return nil }
    // Whole colour samples, so that it can be coded alone.
    let sides = [(width, chroma.shiftX), (height, chroma.shiftY)].map {
      max(((($0 * side + longer / 2) / longer) >> $1) << $1, 1 << $1)
    }
    var small = self
    (small.width, small.height) = (sides[0], sides[1])
    return small
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
    case .heic: self = .heif
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
