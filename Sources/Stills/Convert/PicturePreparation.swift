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
  private let results: PassResults

  /// - Parameter results: what first passes over the picture have found.
  init(
    _ picture: PhotoPicture, in file: PhotoFile, options: ConvertOptions, workers: Int,
    results: PassResults = PassResults()
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
    let plan = placement.plan
    colour = try ColourDecision(plan, options, peak: results.peak)
    warnings += colour.warnings
    setup = try PictureSetup(plan, background: try colour.fill(of: plan), workers: workers)
    try setup.check(file.limits, workers: workers)

    var choices = MetadataChoices(width: plan.width, height: plan.height)
    choices.orientation = placement.tag
    choices.thumbnail = results.thumbnail
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
    if results.peak == nil, options.hdr == .tonemap, options.format != .yuv {
      let meter = try working { () throws(PictureError) in
        try PeakMeter(format, colour: colour.colour.source)
      }
      if let meter { return PeakOutput(meter) }
    }
    if results.thumbnail == nil, options.makesThumbnail, options.format == .jpeg,
      options.strip != .all
    {
      let samples = colour.conversion?.outputFormat(height: format.height) ?? format
      return ThumbnailOutput(of: samples, bandHeight: setup.canvas.colour.bandHeight)
    }
    return nil
  }

  func job(_ pass: any FirstPass) -> PictureJob {
    let conversion = pass.wantsConvertedSamples ? colour.conversion : nil
    return PictureJob(
      setup, encoder: pass, conversion: BandConversion(conversion), output: pass,
      decoderThreads: 1, salvages: options.salvages)
  }

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles to share.
  func job(_ output: any PhotoOutput, decoderThreads: Int) throws(Refusal) -> PictureJob {
    let encoder = try working { () throws(PictureError) -> any PictureEncoder in try makeEncoder() }
    return PictureJob(
      setup, encoder: encoder, conversion: BandConversion(colour.conversion), output: output,
      decoderThreads: setup.steps.count == 1 ? decoderThreads : 1, salvages: options.salvages)
  }

  private func makeEncoder() throws(PictureError) -> any PictureEncoder {
    let plan = setup.plan
    switch options.format {
    case .yuv: return RawOutput()
    case .ppm:
      return PixmapOutput(width: plan.width, height: plan.height, isGray: colour.isGrey)
    case .png:
      return try PNGOutput(
        width: plan.width, height: plan.height,
        bitDepth: plan.canvasFormat.bitDepth > 8 ? 16 : 8, colour: colour, metadata: metadata)
    case .jpeg:
      let segments = metadata.jpegSegments()
      let bandHeight = setup.canvas.colour.bandHeight
      var settings = JPEGSettings(
        width: plan.width, height: plan.height, chroma: colour.chroma, quality: options.quality)
      settings.isProgressive = options.isProgressive
      settings.isOptimized = options.isOptimized
      guard options.isProgressive || options.isOptimized else {
        try settings.cut(intoBandsOf: bandHeight)
        return JPEGOutput(settings, segments: segments, bandHeight: bandHeight)
      }
      return try JPEGWholeOutput(settings, segments: segments)
    }
  }
}

extension MetadataChoices.Strip {
  fileprivate init(_ choice: StripChoice) {
    switch choice {
    case .nothing: self = .nothing
    case .gps: self = .gps
    case .all: self = .all
    }
  }
}
