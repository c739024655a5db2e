// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import Media

/// The conversion of one picture's colours: the samples for the encoder, and the profile that describes them.
struct ColourDecision {
  let colour: ColourPlan
  /// The conversion; `nil` if planes are passed through.
  let conversion: SampleConversion?
  /// The colour subsampling of a JPEG.
  let chroma: Chroma
  let hasAlpha: Bool
  private let keepsHDR: Bool
  private(set) var warnings: [String] = []

  var profile: [UInt8]? {
    isRendered ? ICCProfile.generated(for: Self.rendered) : colour.profile
  }
  var isGrey: Bool { chroma == .monochrome }

  /// The code points of PQ and HLG values that are kept unchanged.
  var keptHDR: ColourDescription? {
    if isRendered { return Self.rendered }
    return colour.source.isHDR && keepsHDR ? colour.source : nil
  }

  /// Whether HDR is rendered from SDR.
  private(set) var isRendered = false
  private static let rendered = ColourDescription(primaries: 9, transfer: 16, matrix: 0)

  /// - Parameter results: the peak brightness of an HDR picture and its gain map, as far as known.
  init(_ plan: PicturePlan, _ options: ConvertOptions, results: PassResults = PassResults())
    throws
  {
    let canvas = plan.canvasFormat
    var chroma = options.chroma.chroma ?? plan.storedChroma
    if options.hdr == .apply, chroma == .monochrome { chroma = .yuv444 }
    self.chroma = chroma
    keepsHDR = options.keepsHDRSamples
    let isGrey = chroma == .monochrome
    let found = try SourceProfile(plan.colour.profile, options)
    let profile = found.bytes
    var wishes = ColourPlan.Wishes()
    wishes.convertsToSRGB = options.convertsToSRGB
    wishes.keepsHDR = keepsHDR
    wishes.peak = results.peak
    wishes.isGrey = isGrey
    var description = plan.colour.description
    if canvas.isRGB { description.matrix = 0 }
    let colour = try ColourPlan(
      description, profile: profile, wishes: wishes, mapTowardsSDR: results.mapTowardsSDR)
    self.colour = colour
    warnings = (found.warning.map { [$0] } ?? []) + colour.notes

    let alpha = plan.alpha.first.map { alpha in
      AlphaDescription(
        isFullRange: alpha.colour.description.isFullRange,
        isPremultiplied: plan.isAlphaPremultiplied, background: options.background)
    }
    hasAlpha = alpha != nil && options.hdr != .apply
    if options.hdr == .apply, !colour.source.isHDR {
      isRendered = true
      conversion = try SampleConversion.rendering(
        canvas, description, site: plan.canvasSite, profile: profile, map: results.appliedGainMap,
        headroom: options.headroom ?? 16)
      return
    }
    guard let target = options.target(canvas, chroma: chroma, hasAlpha: hasAlpha) else {
      conversion = nil
      return
    }
    conversion = try SampleConversion.between(
      canvas, colour, site: plan.canvasSite, alpha: alpha, target: target)
  }

  /// Returns the samples of the canvas where there is no piece; empty if pieces cover all of it.
  func fill(of plan: PicturePlan) throws -> [Int] {
    guard let fill = plan.fill, fill.count == 4 else { return [] }
    let format = plan.canvasFormat
    let matrix = try MatrixCoefficients(of: colour.source)
    let rgb = SIMD3(fill.prefix(3).map { Double($0) / 65535 })
    let values = matrix.fromRGB * rgb
    let scale = Double(1 << (format.bitDepth - 8))
    let largest = Double(1 << format.bitDepth - 1)
    return (0..<3).map { plane in
      let isColour = plane > 0 && matrix != .identity
      let value =
        colour.source.isFullRange
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
  /// The colour subsampling for storing decoded samples: rotated 4:2:2 must not lose resolution in either direction.
  fileprivate var storedChroma: Chroma {
    let chroma = pieces.first.map { sources[$0.source].format.chroma } ?? .monochrome
    guard pieces.allSatisfy({ sources[$0.source].format.chroma == chroma }) else { return .yuv444 }
    let isTurned = pieces.contains { $0.orientation.swapsSides }
    return chroma == .yuv422 && isTurned ? .yuv444 : chroma
  }
}
