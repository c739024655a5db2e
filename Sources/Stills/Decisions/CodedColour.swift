// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import HEIF
internal import Media

/// The conversion of a picture's colours for coding as HEVC; planes are passed through unchanged if possible.
struct CodedColour {
  /// The format of the planes that are coded.
  let format: PictureFormat
  /// The conversion of the planes; `nil` if they are passed through.
  let conversion: SampleConversion?
  /// The colour description for `nclx` and the stream.
  let description: ColourDescription
  /// The position of colour samples that the stream states; `nil` if it is the default.
  let site: ChromaSite?
  /// The colour description of the source's samples.
  let source: ColourDescription
  /// The ICC profile; empty if there is none.
  let profile: [UInt8]
  private(set) var warnings: [String] = []

  /// - Parameter results: the peak brightness of an HDR picture, or the map that turns it into an SDR one, if known.
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
    // The kernels for the usual coding of a JPEG are faster.
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
    // A profile is a statement; the defaults of a JPEG are only an assumption.
    let isSupposed = profile != nil && ["JFIF", "Exif"].contains(plan.colour.origin)
    description = ColourDescription(
      primaries: isSupposed ? 2 : meaning.primaries, transfer: isSupposed ? 2 : meaning.transfer,
      matrix: [2, 5].contains(matrix) ? 6 : matrix, isFullRange: coded.isFullRange)
    let keepsProfile = profile != nil && colour.changed == nil
    self.profile = keepsProfile ? colour.profile ?? [] : []
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
}
