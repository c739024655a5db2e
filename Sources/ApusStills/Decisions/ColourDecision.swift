// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import ApusMedia
internal import HEIF

/// The decisions about the colours of one picture: the samples that the encoder gets, and their description.
struct ColourDecision {
  /// The colour description of the source's samples.
  let source: ColourDescription
  /// The conversion; `nil` if planes are passed through.
  private(set) var conversion: SampleConversion?
  let chroma: Chroma
  private(set) var hasAlpha = false
  /// Whether HDR is rendered from SDR.
  private(set) var isRendered = false
  /// The code points of PQ and HLG values that are kept unchanged.
  private(set) var keptHDR: ColourDescription?
  private(set) var profile: [UInt8]?
  /// The format of the planes that are coded as HEVC, and their colour description.
  private(set) var format: PictureFormat
  private(set) var description: ColourDescription
  /// The position of colour samples that the stream states; `nil` if it is the default.
  private(set) var site: ChromaSite?
  private(set) var warnings: [String] = []

  var isGrey: Bool { chroma == .monochrome }

  private static let rendered = ColourDescription(primaries: 9, transfer: 16, matrix: 0)

  /// - Parameter results: the peak brightness of an HDR picture and its gain map, as far as known.
  init(_ plan: PicturePlan, _ options: ConvertOptions, results: PassResults = PassResults())
    throws
  {
    let canvas = plan.canvasFormat
    chroma = plan.chroma(options)
    let found = try SourceProfile(plan.colour.profile, options)
    var wishes = ColourPlan.Wishes()
    wishes.convertsToSRGB = options.convertsToSRGB
    wishes.keepsHDR = options.keepsHDRSamples
    wishes.peak = results.peak
    wishes.isGrey = chroma == .monochrome
    var description = plan.colour.description
    if canvas.isRGB { description.matrix = 0 }
    let colour = try ColourPlan(
      description, profile: found.bytes, wishes: wishes, mapTowardsSDR: results.mapTowardsSDR)
    source = colour.source
    profile = colour.profile
    (format, self.description) = (canvas, description)
    warnings = (found.warning.map { [$0] } ?? []) + colour.notes
    if options.format == .heic {
      try code(plan, colour, hasProfile: found.bytes != nil, options)
      return
    }
    if colour.source.isHDR, options.keepsHDRSamples { keptHDR = colour.source }
    if options.hdr == .apply, !colour.source.isHDR {
      isRendered = true
      keptHDR = Self.rendered
      profile = ICCProfile.generated(for: Self.rendered)
      conversion = try SampleConversion.rendering(
        canvas, description, site: plan.canvasSite, profile: found.bytes, map: results.appliedMap,
        headroom: options.headroom ?? 16)
      return
    }
    let alpha = plan.alpha.first.map { alpha in
      AlphaDescription(
        isFullRange: alpha.colour.description.isFullRange,
        isPremultiplied: plan.isAlphaPremultiplied, background: options.background)
    }
    hasAlpha = alpha != nil && options.hdr != .apply
    guard let target = options.target(canvas, chroma: chroma, hasAlpha: hasAlpha) else { return }
    conversion = try SampleConversion.between(
      canvas, colour, site: plan.canvasSite, alpha: alpha, target: target)
  }

  /// Decides on the planes of a HEIC; they are passed through unchanged if possible.
  private mutating func code(
    _ plan: PicturePlan, _ colour: ColourPlan, hasProfile: Bool, _ options: ConvertOptions
  ) throws {
    let (canvas, choices, described) = (plan.canvasFormat, options.heic, description)
    let depth = choices.bitDepth ?? (canvas.bitDepth > 8 ? 10 : 8)
    let isKept = colour.changed == nil && (described.matrix != 0 || chroma == .yuv444)
    let keepsRGB = described.matrix != 0 || choices.isLossless
    let wanted = choices.colour
    let matrix = wanted?.matrix ?? (isKept && keepsRGB ? described.matrix : 6)
    var result = described
    result.matrix = matrix
    let coded = CodedSamples(
      chroma, bitDepth: depth, matrix: try isGrey ? .bt601 : MatrixCoefficients(of: result),
      isFullRange: wanted?.isFullRange ?? (isKept && keepsRGB ? described.isFullRange : true))
    // The kernels for the usual coding of a JPEG are faster.
    let isJPEG = depth == 8 && coded.matrix == .bt601 && coded.isFullRange
    conversion = try SampleConversion.between(
      canvas, colour, site: plan.canvasSite, target: isJPEG ? .jpeg(chroma) : .coded(coded))
    (format.chroma, format.bitDepth, format.isRGB) = (chroma, depth, coded.matrix == .identity)
    site = Self.site(in: format, from: canvas, at: plan.canvasSite)
    if choices.isLossless, conversion != nil {
      warnings.append(
        "samples were converted to \(depth) bits and \(chroma.name) before lossless "
          + "coding")
    }
    let meaning = colour.changed ?? colour.source
    // A profile is a statement; the defaults of a JPEG are only an assumption.
    let isSupposed = hasProfile && ["JFIF", "Exif"].contains(plan.colour.origin)
    description =
      wanted
      ?? ColourDescription(
        primaries: isSupposed ? 2 : meaning.primaries, transfer: isSupposed ? 2 : meaning.transfer,
        matrix: [2, 5].contains(matrix) ? 6 : matrix, isFullRange: coded.isFullRange)
    if !hasProfile || colour.changed != nil { profile = nil }
  }

  /// Returns the position of colour samples: in the middle of the samples that they average, otherwise unchanged.
  private static func site(
    in coded: PictureFormat, from canvas: PictureFormat, at site: ChromaSite
  ) -> ChromaSite? {
    guard coded.chroma == .yuv420, canvas.chroma != .monochrome else { return nil }
    var site = site
    if canvas.chroma.shiftX == 0 { site.across = 1 }
    if canvas.chroma.shiftY == 0 { site.down = 1 }
    return site == .left ? nil : site
  }

  /// Returns the samples of the canvas where there is no piece; empty if pieces cover all of it.
  func fill(of plan: PicturePlan) throws -> [Int] {
    guard let fill = plan.fill, fill.count == 4 else { return [] }
    let format = plan.canvasFormat
    let matrix = try MatrixCoefficients(of: source)
    let rgb = SIMD3(fill.prefix(3).map { Double($0) / 65535 })
    let values = matrix.fromRGB * rgb
    let scale = Double(1 << (format.bitDepth - 8))
    let largest = Double(1 << format.bitDepth - 1)
    return (0..<3).map { plane in
      let isColour = plane > 0 && matrix != .identity
      let value =
        source.isFullRange
        ? values[plane] * largest + (isColour ? 128 * scale : 0)
        : values[plane] * (isColour ? 224 : 219) * scale + (isColour ? 128 : 16) * scale
      return Int(min(max(value.rounded(), 0), largest))
    }
  }
}

extension ChromaChoice {
  /// The colour subsampling; `nil` to keep that of the source.
  var chroma: Chroma? {
    switch self {
    case .auto: nil
    case .yuv420: .yuv420
    case .yuv422: .yuv422
    case .yuv444: .yuv444
    }
  }
}

extension ConvertOptions {
  /// Returns the samples that the encoder needs; `nil` for unchanged planes.
  fileprivate func target(_ canvas: PictureFormat, chroma: Chroma, hasAlpha: Bool) -> TargetSamples?
  {
    let isGrey = chroma == .monochrome
    switch format {
    case .yuv, .heic: return nil
    case .jpeg: return .jpeg(chroma)
    case .ppm: return isGrey ? .grey8 : .rgb8
    case .webp: return .pixels(hasAlpha ? .rgba : .rgb, bitDepth: 8)
    case .png:
      let layout: TargetSamples.PixelLayout =
        hasAlpha ? (isGrey ? .greyAlpha : .rgba) : (isGrey ? .grey : .rgb)
      return .pixels(layout, bitDepth: canvas.bitDepth > 8 ? 16 : 8)
    }
  }
}

extension PicturePlan {
  /// Returns the chroma subsampling of the output.
  fileprivate func chroma(_ options: ConvertOptions) -> Chroma {
    if options.format == .heic {
      let stored = canvasFormat.chroma
      if stored == .monochrome { return stored }
      // Green, blue and red have the same resolution.
      if options.heic.colour?.matrix == 0 { return .yuv444 }
      return options.chroma.chroma ?? (options.heic.isLossless ? stored : .yuv420)
    }
    let chroma = options.chroma.chroma ?? storedChroma
    return options.hdr == .apply && chroma == .monochrome ? .yuv444 : chroma
  }

  /// The colour subsampling for storing decoded samples: rotated 4:2:2 must not lose resolution in either direction.
  private var storedChroma: Chroma {
    let chroma = pieces.first.map { sources[$0.source].format.chroma } ?? .monochrome
    guard pieces.allSatisfy({ sources[$0.source].format.chroma == chroma }) else { return .yuv444 }
    let isTurned = pieces.contains { $0.orientation.swapsSides }
    return chroma == .yuv422 && isTurned ? .yuv444 : chroma
  }
}
