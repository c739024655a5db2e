// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The decisions about the gain map of a picture, made before it is decoded.
struct GainMapDecision {
  /// The description of how to apply the map in the output.
  let description: GainMapDescription
  /// Notes about the map.
  private var notes: [String] = []
  private let found: FoundGainMap
  /// The descriptions of the map with Apple's codes; `nil` if the output has others.
  private let apple: AppleGainMap?
  private let plan: PicturePlan
  private let options: ConvertOptions
  private let workers: Int
  private let chroma: Chroma
  /// The replacement for each code in the output; `nil` to keep codes.
  private let codes: [UInt8]?

  /// Prepares the gain map; `nil` for a picture without one, or with one that does not apply to the output.
  init?(_ picture: PictureDecision) throws {
    let (placement, isHDR) = (picture.placement, picture.colour.source.isHDR)
    guard let found = try picture.picture.source.foundGainMap(of: picture.picture.picture) else {
      return nil
    }
    let options = picture.options
    self.found = found
    self.options = options
    workers = picture.workers
    // Otherwise the picture is converted to SDR.
    let isHEIC = options.format == .heic && options.writesGainMaps
    let exif = placement.metadata.exif
    apple = isHEIC && options.heic.gainMap != .iso ? try AppleGainMap(found, exif: exif) : nil
    let said = try apple?.description ?? found.description(exif: exif)
    description = said
    let parameters = said.parameters
    if !isHEIC {
      if isHDR, !parameters.hasHDRBase { return nil }
      guard isHDR || !parameters.hasHDRBase else {
        throw MediaError(
          .unsupported, "it converts HDR to SDR, but the picture is neither PQ nor HLG")
      }
      guard placement.stored.alpha.isEmpty else {
        throw MediaError(.unsupported, "the picture has alpha, which the output cannot have")
      }
    }
    let turnsColours = !parameters.usesBaseColour || parameters.channels.count > 1
    guard !options.convertsToSRGB || !turnsColours else {
      throw MediaError(.unsupported, "its colours are not sRGB")
    }
    let isApplied = options.hdr == .apply || isHDR && !isHEIC
    guard !isApplied || parameters.usesBaseColour else {
      throw MediaError(.unsupported, "it applies to other primaries than those of the picture")
    }
    notes = try apple?.check() ?? []

    var plan = try found.source.plan(found.picture)
    if !plan.isPlacedByContainer, placement.stored.isPlacedByContainer {
      plan = plan.laid(placement.stored.orientation)
    }
    plan = plan.laid(placement.change)
    plan.alpha = []
    try Self.compare(plan, with: placement.plan)
    self.plan = plan
    let usual: Chroma = options.heic.isLossless || !isHEIC ? .yuv444 : .yuv420
    chroma =
      picture.results.mapIsColour
      ? (isHEIC ? options.chroma.chroma : nil) ?? usual : .monochrome
    codes = Self.codes(said, isApple: apple != nil)
  }

  private static func codes(_ map: GainMapDescription, isApple: Bool) -> [UInt8]? {
    if isApple { return map.origin.hasAppleCodes ? nil : AppleGainCurve.codes(for: map.parameters) }
    return map.origin.hasAppleCodes
      ? AppleGainCurve.logarithmicCodes(headroom: map.headroom) : nil
  }

  /// - Parameter bandHeight: the height of the canvas' bands; chosen to suit decoding if `nil`.
  private func setup(bandHeight: Int? = nil) throws -> PictureSetup {
    try PictureSetup(
      plan, background: [], limits: found.source.limits, workers: workers, bandHeight: bandHeight)
  }

  private func conversion(of canvas: CanvasLayout) throws -> GainMapConversion {
    try GainMapConversion(
      canvas.format, colour: plan.colour.description, bandHeight: canvas.bandHeight,
      chroma: chroma, codes: codes)
  }

  /// Returns the pass that decodes the map, to be applied to its picture.
  ///
  /// - Parameter isTowardsSDR: whether the map turns an HDR picture into its SDR version.
  func decodingPass(isTowardsSDR: Bool) throws -> PlannedPass {
    let setup = try setup()
    let canvas = setup.canvas.colour
    let decoding = try GainMapDecoding(
      canvas.format, colour: plan.colour.description, site: plan.canvasSite,
      bandHeight: canvas.bandHeight, description: description, isTowardsSDR: isTowardsSDR)
    return PlannedPass(
      pass: decoding, setup: setup, conversion: decoding.conversion, subject: .gainMap)
  }

  /// Returns the pass that encodes the map as JPEG.
  func jpegPass() throws -> PlannedPass {
    let setup = try setup()
    let canvas = setup.canvas.colour
    let profile = try description.parameters.usesBaseColour ? nil : alternateProfile()
    // The base picture of a JPEG is SDR.
    let description =
      description.parameters.hasHDRBase ? try description.reversed() : description
    let output = try GainMapOutput(
      conversion(of: canvas), bandHeight: canvas.bandHeight, description: description,
      profile: profile, quality: options.gainMapQuality)
    return PlannedPass(pass: output, setup: setup, subject: .gainMap)
  }

  /// Returns the pass that codes the map for a HEIC.
  ///
  /// - Parameter base: the colours of the picture.
  func heicPass(_ base: ColourDecision) throws -> PlannedPass {
    var format = plan.canvasFormat
    format.chroma = chroma
    let setup = try setup(bandHeight: TileLayout(format, options.heic).bandHeight)
    let conversion = try conversion(of: setup.canvas.colour)
    let coded = try CodedPlanes(
      companion: conversion.format,
      // Codes are not colours: ISO/IEC 23008-12, 6.6.2.4.
      colour: ColourDescription(
        primaries: 2, transfer: 2, matrix: chroma == .monochrome ? 2 : 6, isFullRange: true),
      options: options, workers: workers)
    let (use, xmp) = try words(base)
    let output = CompanionOutput(
      coded, prepare: { conversion.picture(of: $0) },
      result: { [description, notes] picture, results in
        guard let picture else {
          results.mapIsColour = true
          return
        }
        var map = WrittenGainMap(
          description, width: picture.width, height: picture.height,
          bytes: picture.tiles.reduce(0) { $0 + $1.count })
        map.item = NewAuxiliary(picture, use)
        map.item?.xmp = xmp
        map.notes = notes
        results.gainMap = map
      })
    return PlannedPass(pass: output, setup: setup, subject: .gainMap)
  }

  /// Returns the metadata that describes in a HEIC how to apply the map.
  private func words(_ base: ColourDecision) throws -> (use: NewAuxiliary.Use, xmp: [UInt8]) {
    let urn = apple.map { _ in GainMapAnnouncement.appleURN }
    var xmp: [UInt8] = []
    if let apple {
      let isOwn = description.origin == .appleXMP && options.strip == .nothing
      xmp =
        (isOwn ? found.xmp : nil) ?? GainMapAnnouncement.applePacket(headroom: apple.headroom)
    }
    if let urn, options.heic.gainMap == .apple { return (.auxiliary(urn: urn), xmp) }
    // The version of the item precedes the parameters: ISO/IEC 23008-12, 6.6.2.4.
    var toneMap = NewToneMap([0] + (try apple?.payload() ?? description.payload))
    try describe(&toneMap, base)
    return (.gainMap(toneMap, urn: urn), xmp)
  }

  /// Sets the colour of the picture with the map applied: as stated in the file, otherwise PQ with the primaries in
  /// which light is multiplied.
  private func describe(_ toneMap: inout NewToneMap, _ base: ColourDecision) throws {
    if found.toneMap != nil, let colour = found.alternateColour, !options.convertsToSRGB {
      let points = colour.description
      if points.primaries != 2, points.transfer != 2 { toneMap.colour = points }
      toneMap.profile = try SourceProfile(colour.profile, options).bytes ?? []
      if toneMap.colour != nil || !toneMap.profile.isEmpty { return }
    }
    let own = description.parameters.usesBaseColour ? nil : try alternateProfile()
    toneMap.setColour(primaries: base.description.primaries, profile: own ?? base.profile)
  }

  /// Throws if the aspect ratios differ by more than rounding, because then the map belongs to a picture with another
  /// orientation or crop.
  private static func compare(_ map: PicturePlan, with base: PicturePlan) throws {
    let difference = (map.width * base.height - map.height * base.width).magnitude
    let tolerance = UInt(2 * max(base.width, base.height))
    guard difference <= tolerance, map.width > 1, map.height > 1, map.width <= base.width * 2 else {
      throw MediaError(
        .corrupt,
        "it has \(map.width) × \(map.height) samples, which does not match a picture of "
          + "\(base.width) × \(base.height)")
    }
  }

  /// Returns the profile of the alternate picture, if light is multiplied in its primaries.
  private func alternateProfile() throws -> [UInt8]? {
    guard let colour = found.alternateColour else { return nil }
    if let profile = try SourceProfile(colour.profile, options).bytes { return profile }
    return ICCProfile.generated(
      for: ColourDescription(primaries: colour.description.primaries, transfer: 13))
  }
}
