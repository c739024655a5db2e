// SPDX-License-Identifier: MIT

public import ApusMedia

/// The conversion from a source's samples to those of an output, created once for a picture and used by all workers.
///
/// Bands of the picture are converted separately, with the same result for any division: a band needs at most one row
/// of colours from its neighbours, and the dither pattern is aligned with the whole picture.
public final class SampleConversion: Sendable {
  private enum Method: Sendable {
    case tables(TableConversion)
    case pixels(PixelConversion)
    case rendering(HDRRendering)
  }

  /// The format of the whole picture before the conversion.
  public let source: PictureFormat
  /// The samples of the output.
  public let target: TargetSamples
  private let method: Method

  /// Whether the colour of a luma sample is partly interpolated from samples other than its own.
  public var interpolates: Bool { interpolation != .none }
  /// Whether a band needs the rows of colours above and below it.
  public var needsEdges: Bool { interpolation.down != nil }

  private var interpolation: ColourInterpolation {
    switch method {
    case .tables: .none
    case .pixels(let pixels): pixels.interpolation
    case .rendering(let rendering): rendering.interpolation
    }
  }

  /// Returns the conversion; `nil` if planes can be passed through.
  ///
  /// - Parameters:
  ///   - source: the format of the whole picture.
  ///   - site: the position of the source's colour samples.
  ///   - alpha: the alpha of a picture that has an alpha plane.
  public static func between(
    _ source: PictureFormat, _ plan: ColourPlan, site: ChromaSite = .left,
    alpha: AlphaDescription? = nil,
    target: TargetSamples
  ) throws(MediaError) -> SampleConversion? {
    let colour = plan.source
    if target == .planes {
      guard source.bitDepth > 8 else { return nil }
      return SampleConversion(
        source, target,
        .tables(
          TableConversion(
            source, isFullRange: colour.isFullRange, isWidened: false, chroma: source.chroma)))
    }
    let matrix = try MatrixCoefficients(of: colour, for: source)
    if case .jpeg(let chroma) = target, matrix == .bt601, plan.light == nil, alpha == nil {
      if source.bitDepth == 8, colour.isFullRange, chroma == source.chroma { return nil }
      return SampleConversion(
        source, target,
        .tables(
          TableConversion(
            source, isFullRange: colour.isFullRange, isWidened: true, chroma: chroma)))
    }
    if case .coded(let coded) = target, plan.light == nil, alpha == nil,
      source.bitDepth == coded.bitDepth, source.chroma == coded.chroma,
      colour.isFullRange == coded.isFullRange,
      matrix == coded.matrix || source.chroma == .monochrome
    {
      return nil
    }
    let decoding = matrix.decoding(bitDepth: source.bitDepth, isFullRange: colour.isFullRange)
    // Colour samples are kept in planes, and interpolated when converting to red, green and blue.
    let makesRGB = plan.light != nil || target.chroma == nil
    return SampleConversion(
      source, target,
      .pixels(
        PixelConversion(
          source, decoding, target: target, light: plan.light,
          interpolation: makesRGB
            ? ColourInterpolation(from: source.chroma, at: site, to: target.chroma ?? .yuv444)
            : .none, alpha: alpha)))
  }

  /// Returns a conversion to 16-bit pixels in PQ of BT.2020, for showing an SDR picture on a display with some
  /// headroom.
  ///
  /// - Parameters:
  ///   - map: the gain map of the picture; the picture is unchanged if it is `nil`.
  ///   - headroom: the headroom of the display, as a logarithm to base 2.
  public static func rendering(
    _ source: PictureFormat, _ colour: ColourDescription, site: ChromaSite = .left,
    profile: [UInt8]?, map: GainMapSamples?, headroom: Double
  ) throws(MediaError) -> SampleConversion {
    let rendering = try HDRRendering(
      source, colour, profile: try profile.map(ICCProfile.init), map: map, headroom: headroom,
      interpolation: ColourInterpolation(from: source.chroma, at: site, to: .yuv444))
    return SampleConversion(source, .rgb16, .rendering(rendering))
  }

  private init(_ source: PictureFormat, _ target: TargetSamples, _ method: Method) {
    self.source = source
    self.target = target
    self.method = method
  }

  /// Returns the format of the output for a number of rows.
  public func outputFormat(height: Int) -> PictureFormat {
    var band = source
    band.height = height
    return target.format(of: band)
  }

  /// Converts rows.
  ///
  /// - Parameters:
  ///   - alpha: the alpha, as the luma of a picture with the same size; opaque if `nil`.
  ///   - edges: the rows above and below, if needed.
  ///   - y: the index of the first row in the whole picture, which is even for every band.
  ///   - output: a picture with the `outputFormat` for the rows of the band.
  @unsafe public func convert(
    _ band: PictureView, alpha: PictureView? = nil, edges: ColourEdges = ColourEdges(), at y: Int,
    into output: Picture
  ) {
    // The following code relies on these formats for its pointers.
    var format = source
    format.height = unsafe band.format.height
    precondition(unsafe band.format == format && y % 2 == 0)
    precondition(output.format == outputFormat(height: format.height))
    if let alpha = unsafe alpha {
      precondition(unsafe alpha.format.width == format.width)
      precondition(unsafe alpha.format.height == format.height)
    }
    for row in [edges.above, edges.below] {
      guard let planes = row?.planes.format else { continue }
      precondition(planes.width == format.width(ofPlane: 1) && planes.bitDepth == format.bitDepth)
    }
    switch method {
    case .tables(let tables): unsafe tables.convert(band, at: y, into: output)
    case .pixels(let pixels):
      unsafe pixels.convert(band, alpha: alpha, edges: edges, at: y, into: output)
    case .rendering(let rendering):
      unsafe rendering.convert(band, edges: edges, at: y, into: output)
    }
  }
}
