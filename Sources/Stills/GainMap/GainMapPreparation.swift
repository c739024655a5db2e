// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import Media
internal import Metadata

/// Everything that is decided about the gain map of a picture before it is decoded.
struct GainMapPreparation {
  let setup: PictureSetup
  let description: GainMapDescription
  private let colour: ColourDescription
  /// Of the alternate picture, where light is multiplied in its primaries.
  private let profile: [UInt8]?

  /// `nil` for a picture without a gain map.
  init?(
    _ picture: PhotoPicture, in file: any PictureSource, stored: PicturePlan, placement: Placement,
    exif: [UInt8]?, options: ConvertOptions, workers: Int
  ) throws(Refusal) {
    let found = try reading { () throws(SyntaxError) in try file.gainMap(of: picture) }
    guard let found else { return nil }
    description = try working { () throws(PictureError) in
      try GainMapDescription(
        toneMap: found.toneMap, xmp: found.xmp, exif: exif, isApple: found.kind == .apple)
    }
    let parameters = description.parameters
    guard !parameters.hasHDRBase else {
      throw Refusal(.unsupported, "it makes an SDR picture of an HDR one, which is not done here")
    }
    guard stored.alpha.isEmpty else {
      throw Refusal(.unsupported, "the picture has alpha, which the output has not")
    }
    let turnsColours = !parameters.usesBaseColour || parameters.channels.count > 1
    guard !options.convertsToSRGB || !turnsColours else {
      throw Refusal(.unsupported, "its colours are not those of sRGB")
    }
    guard options.hdr != .apply || parameters.usesBaseColour else {
      throw Refusal(.unsupported, "it is applied in other primaries than those of the picture")
    }
    var plan = try reading { () throws(SyntaxError) in try file.plan(found.map) }
    if !plan.isPlacedByContainer, stored.isPlacedByContainer {
      plan = plan.laid(stored.orientation)
    }
    plan = plan.laid(placement.change)
    plan.alpha = []
    try Self.compare(plan, with: placement.plan)
    setup = try PictureSetup(plan, background: [], workers: workers)
    try setup.check(file.limits, workers: workers)
    colour = plan.colour.description
    profile = try parameters.usesBaseColour ? nil : Self.profile(found.alternateColour)
  }

  /// The pass that decodes the map.
  ///
  /// - Parameter isColour: whether it is known to hold colours.
  func pass(_ options: ConvertOptions, isColour: Bool) throws(PictureError) -> any FirstPass {
    let layout = setup.canvas.colour
    guard options.hdr != .apply else {
      return try GainMapDecoding(
        layout.format, colour: colour, bandHeight: layout.bandHeight, description: description)
    }
    return try GainMapOutput(
      layout.format, colour: colour, bandHeight: layout.bandHeight, isColour: isColour,
      description: description, profile: profile, quality: options.gainMapQuality)
  }

  /// Sides that differ by more than what rounding does belong to a picture that is laid or cut otherwise.
  private static func compare(_ map: PicturePlan, with base: PicturePlan) throws(Refusal) {
    let difference = (map.width * base.height - map.height * base.width).magnitude
    let tolerance = UInt(2 * max(base.width, base.height))
    guard difference <= tolerance, map.width > 1, map.height > 1, map.width <= base.width * 2 else {
      throw Refusal(
        .corrupt,
        "it has \(map.width) × \(map.height) samples, which do not lie on a picture of "
          + "\(base.width) × \(base.height)")
    }
  }

  private static func profile(_ colour: PlannedColour?) throws(Refusal) -> [UInt8]? {
    guard let colour else { return nil }
    if let extent = colour.profile {
      return try reading { () throws(SyntaxError) in try extent.bytes() }
    }
    return ICCProfile.generated(
      for: ColourDescription(primaries: colour.description.primaries, transfer: 13))
  }
}

extension ConvertOptions {
  /// Of a gain map, which less coding damages than it does a picture.
  var gainMapQuality: Int { min(max(quality, 90), 95) }

  /// Whether the output holds a gain map where the photo has one, or can be given one.
  var writesGainMaps: Bool { hdr == .keep && format == .jpeg }

  /// Whether PQ and HLG samples stay what they are.
  var keepsHDRSamples: Bool {
    format == .yuv || (format == .heic && hdr == .keep)
      || (format == .png && (hdr == .keep || hdr == .apply))
  }
}
