// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import Media

/// What becomes of the colours of a picture that is coded as HEVC: planes stay as they are where they can.
struct CodedColour {
  /// The format of the planes that are coded.
  let format: PictureFormat
  /// The conversion of the planes; `nil` where they go straight through.
  let conversion: SampleConversion?
  /// What `nclx` and the stream say.
  let description: ColourDescription
  /// Where the stream says that colour samples lie; `nil` where that is what a stream means that does not say.
  let site: ChromaSite?
  /// What the samples of the source mean.
  let source: ColourDescription
  /// The ICC profile; empty where there is none.
  let profile: [UInt8]
  private(set) var warnings: [String] = []

  /// - Parameter results: the brightest light of an HDR picture, or what makes an SDR one of it, where that is known.
  init(_ plan: PicturePlan, _ options: ConvertOptions, results: PassResults) throws {
    let canvas = plan.canvasFormat
    let choices = options.heic
    let isGrey = canvas.chroma == .monochrome
    var described = plan.colour.description
    if canvas.isRGB { described.matrix = 0 }
    let found = try SourceProfile(plan.colour.profile, options)
    let profile = found.bytes
    var wishes = ColourPlan.Wishes()
    wishes.convertsToSRGB = options.convertsToSRGB
    wishes.keepsHDR = options.keepsHDRSamples
    wishes.isGrey = isGrey
    wishes.peak = results.peak
    let colour = try ColourPlan(
      described, profile: profile, wishes: wishes, mapTowardsSDR: results.mapTowardsSDR)
    source = colour.source
    warnings = (found.warning.map { [$0] } ?? []) + colour.notes

    let depth = choices.bitDepth ?? (canvas.bitDepth > 8 ? 10 : 8)
    let chroma: Chroma =
      isGrey
      ? .monochrome : options.chroma.chroma ?? (choices.isLossless ? canvas.chroma : .yuv420)
    let isKept = colour.changed == nil && (described.matrix != 0 || chroma == .yuv444)
    let keepsRGB = described.matrix != 0 || choices.isLossless
    let matrix = isKept && keepsRGB ? described.matrix : 6
    var result = described
    result.matrix = matrix
    let coded = CodedSamples(
      chroma, bitDepth: depth,
      matrix: try isGrey ? .bt601 : MatrixCoefficients(of: result),
      isFullRange: isKept && keepsRGB ? described.isFullRange : true)
    // The kernels for what a JPEG holds are faster.
    let isJPEG = depth == 8 && coded.matrix == .bt601 && coded.isFullRange
    let target = isJPEG ? TargetSamples.jpeg(chroma) : .coded(coded)
    conversion = try SampleConversion.between(
      canvas, colour, site: plan.canvasSite, target: target)
    var format = canvas
    (format.chroma, format.bitDepth, format.isRGB) = (chroma, depth, coded.matrix == .identity)
    self.format = format
    site = Self.site(in: format, from: canvas, at: plan.canvasSite)
    if choices.isLossless, conversion != nil {
      warnings.append(
        "samples were converted to \(depth) bits and \(chroma.name) before lossless "
          + "coding")
    }

    let meaning = colour.changed ?? colour.source
    // A profile says what a JPEG's defaults only suppose.
    let isSupposed = profile != nil && ["JFIF", "Exif"].contains(plan.colour.origin)
    description = ColourDescription(
      primaries: isSupposed ? 2 : meaning.primaries, transfer: isSupposed ? 2 : meaning.transfer,
      matrix: [2, 5].contains(matrix) ? 6 : matrix, isFullRange: coded.isFullRange)
    let keepsProfile = profile != nil && colour.changed == nil
    self.profile = keepsProfile ? colour.profile ?? [] : []
  }

  /// Colour samples lie in the middle of those that they are the means of, and stay where they are otherwise.
  private static func site(
    in coded: PictureFormat, from canvas: PictureFormat, at site: ChromaSite
  ) -> ChromaSite? {
    guard coded.chroma == .yuv420, canvas.chroma != .monochrome else { return nil }
    var site = site
    if canvas.chroma.shiftX == 0 { site.across = 1 }
    if canvas.chroma.shiftY == 0 { site.down = 1 }
    return site == .left ? nil : site
  }
}
