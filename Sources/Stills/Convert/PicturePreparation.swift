// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import JPEG
internal import Media
internal import Metadata

/// Everything that is decided about one picture before the first tile is decoded.
struct PicturePreparation {
  private(set) var warnings: [String] = []
  private let options: ConvertOptions
  private let setup: PictureSetup
  private let colour: ColourDecision
  private let metadata: PreparedMetadata
  private(set) var results: PassResults
  /// The gain map of the file, where it is still to be gone over.
  private var gainMap: GainMapPreparation?

  /// - Parameters:
  ///   - video: what is written behind the picture.
  ///   - results: what first passes over the picture have found.
  init(
    _ picture: PhotoPicture, in file: any PictureSource, options: ConvertOptions, workers: Int,
    video: LiveVideo? = nil, results: PassResults = PassResults()
  ) throws(Refusal) {
    self.options = options
    self.results = results
    let stored = try reading { () throws(SyntaxError) in try file.plan(picture) }
    warnings += stored.findings.filter { $0.severity != .note }.map(\.message)
    var found = PictureMetadata()
    do throws(Refusal) {
      found = try reading { () throws(SyntaxError) in try file.metadata(of: picture) }
    } catch {
      guard options.salvages else { throw error }
      warnings.append("metadata is left out: \(error.failure.message)")
    }
    warnings += found.findings.filter { $0.severity != .note }.map(\.message)

    let placement = Placement(stored, exif: found.exif, options)
    warnings += placement.warnings
    var plan = placement.plan
    if let scaled = results.scaled { plan = plan.replaced(by: scaled) }
    var colour = try ColourDecision(plan, options, results: results)
    if !colour.colour.source.isHDR {
      do throws(Refusal) {
        gainMap = try Self.gainMap(
          results,
          { () throws(Refusal) in
            try GainMapPreparation(
              picture, in: file, stored: stored, placement: placement, exif: found.exif,
              options: options, workers: workers)
          }, options)
      } catch {
        guard !options.isStrictAboutHDR else { throw Refusal(gainMap: error) }
        self.results.gainMap = .dropped(error.failure.message)
        colour = try ColourDecision(plan, options, results: self.results)
      }
    }
    if case .dropped(let reason) = self.results.gainMap {
      warnings.append("the gain map is left out: \(reason)")
    }
    self.colour = colour
    warnings += colour.warnings
    if let scaled = results.scaled {
      setup = PictureSetup(plan, whole: scaled)
    } else {
      setup = try PictureSetup(plan, background: try colour.fill(of: plan), workers: workers)
    }
    try setup.check(file.limits, workers: workers)

    var choices = MetadataChoices(width: plan.width, height: plan.height)
    choices.orientation = placement.tag
    choices.thumbnail = results.thumbnail
    choices.gainMap = results.encodedGainMap.map { map in
      AppendedGainMap(
        size: map.bytes.count, isInXMP: map.description.parameters.usesBaseColour)
    }
    choices.video = video?.appended
    choices.strip = MetadataChoices.Strip(options.strip)
    choices.target = options.format == .png ? .png : .jpeg
    var source = SourceMetadata(exif: found.exif, xmp: found.xmp, iptc: found.iptc)
    source.icc = colour.profile
    metadata = PreparedMetadata(source, for: choices)
    warnings += metadata.warnings
  }

  /// What has to be found out before the picture can be made; `nil` when all is known.
  func firstPass() throws(Refusal) -> (any FirstPass)? {
    let format = setup.plan.canvasFormat
    if results.scaled == nil, let small = smallFormat(of: format) {
      return ScaledOutput(
        format, alpha: setup.canvas.alpha?.format, bandHeight: setup.canvas.colour.bandHeight,
        to: small)
    }
    guard options.plane == nil else { return nil }
    let source = colour.colour.source
    if results.peak == nil, !options.keepsHDRSamples {
      let meter = try working { () throws(PictureError) in
        try PeakMeter(format, colour: source)
      }
      if let meter { return PeakOutput(meter) }
    }
    if let gainMap {
      let isColour = if case .isColour = results.gainMap { true } else { false }
      return try working { () throws(PictureError) in
        try gainMap.pass(options, isColour: isColour)
      }
    }
    if results.gainMap == nil, options.writesGainMaps, let peak = results.peak {
      let computation = try working { () throws(PictureError) in
        try GainComputation(format, colour: source, peak: peak)
      }
      if let computation {
        return try working { () throws(PictureError) in
          try GainComputationOutput(
            computation, height: format.height, bandHeight: setup.canvas.colour.bandHeight,
            quality: options.gainMapQuality)
        }
      }
    }
    if results.thumbnail == nil, options.makesThumbnail, options.format == .jpeg,
      options.strip != .all
    {
      let samples = colour.conversion?.outputFormat(height: format.height) ?? format
      return ThumbnailOutput(of: samples, bandHeight: setup.canvas.colour.bandHeight)
    }
    return nil
  }

  /// The shape of the picture after `longestSide`; `nil` where that allows it as it is. Colour that will not be made
  /// fewer samples for a JPEG keeps as many as luma has.
  private func smallFormat(of canvas: PictureFormat) -> PictureFormat? {
    let longer = max(canvas.width, canvas.height)
    guard let side = options.longestSide, side > 0, side < longer else { return nil }
    var small = canvas
    small.width = max((canvas.width * side + longer / 2) / longer, 1)
    small.height = max((canvas.height * side + longer / 2) / longer, 1)
    let keepsChroma = options.format == .jpeg && colour.chroma == canvas.chroma
    if canvas.chroma != .monochrome, !keepsChroma { small.chroma = .yuv444 }
    return small
  }

  /// Whether the pass is one over the gain map of the file, without which the picture can be made too.
  func isOverGainMap(_ pass: any FirstPass) -> Bool {
    gainMap != nil && (pass is GainMapOutput || pass is GainMapDecoding)
  }

  func job(_ pass: any FirstPass, decoderThreads: Int) -> PictureJob {
    if let gainMap, isOverGainMap(pass) {
      return PictureJob(
        gainMap.setup, encoder: pass,
        conversion: BandConversion((pass as? GainMapDecoding)?.conversion), output: pass,
        decoderThreads: 1, salvages: false)
    }
    let conversion = pass.wantsConvertedSamples ? colour.conversion : nil
    return PictureJob(
      setup, encoder: pass, conversion: BandConversion(conversion), output: pass,
      decoderThreads: setup.steps.count == 1 ? decoderThreads : 1, salvages: options.salvages)
  }

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles to share.
  func job(_ output: any PhotoOutput, decoderThreads: Int) throws(Refusal) -> PictureJob {
    var encoder = try working { () throws(PictureError) -> any PictureEncoder in try makeEncoder() }
    if let map = results.encodedGainMap { encoder = UltraHDROutput(encoder, map: map) }
    return PictureJob(
      setup, encoder: encoder,
      conversion: BandConversion(options.plane == nil ? colour.conversion : nil), output: output,
      decoderThreads: setup.steps.count == 1 ? decoderThreads : 1, salvages: options.salvages)
  }

  /// What of a gain map is still to be made; `nil` where that is nothing.
  private static func gainMap(
    _ results: PassResults, _ preparation: () throws(Refusal) -> GainMapPreparation?,
    _ options: ConvertOptions
  ) throws(Refusal) -> GainMapPreparation? {
    switch results.gainMap {
    case .made, .decoded, .dropped: return nil
    case .isColour: return try preparation()
    case nil:
      if options.writesGainMaps || options.hdr == .apply { return try preparation() }
      guard options.isStrictAboutHDR, options.hdr == .keep, try preparation() != nil else {
        return nil
      }
      throw Refusal(.unsupported, "a \(options.format.rawValue) holds none")
    }
  }

  private func makeEncoder() throws(PictureError) -> any PictureEncoder {
    let plan = setup.plan
    if let table = options.plane {
      return try PlaneOutput(width: plan.width, height: plan.height, table)
    }
    switch options.format {
    case .yuv: return RawOutput()
    case .heic:
      throw PictureError(.misuse, "a HEIC is prepared otherwise")
    case .ppm:
      return PixmapOutput(width: plan.width, height: plan.height, isGray: colour.isGrey)
    case .png:
      return try PNGOutput(
        width: plan.width, height: plan.height,
        bitDepth: plan.canvasFormat.bitDepth > 8 || colour.isRendered ? 16 : 8, colour: colour,
        metadata: metadata)
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

extension MetadataChoices.Strip {
  init(_ choice: StripChoice) {
    switch choice {
    case .nothing: self = .nothing
    case .gps: self = .gps
    case .all: self = .all
    }
  }
}
