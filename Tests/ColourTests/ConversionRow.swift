// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Testing

/// A conversion, and the real numbers that its samples must be near.
struct ConversionRow: CustomTestStringConvertible, Sendable {
  var name: String
  var colour: ColourDescription
  var format: PictureFormat
  var target: TargetSamples
  /// By how much a sample may differ: half a code and the width of a hair, or less than one where it is dithered.
  var tolerance: Double
  var wishes = ColourPlan.Wishes()
  var alpha: AlphaDescription?
  var alphaDepth: Int
  var site: ChromaSite
  var expected: [Double]

  init(
    _ name: String, _ colour: (Int, Int, Int, Int), _ chroma: Chroma, _ bitDepth: Int,
    _ target: TargetSamples, tolerance: Double, srgb: Bool = false, peak: Double? = nil,
    alpha: (Int, Bool, [UInt8])? = nil, site: ChromaSite = .left, _ expected: String
  ) {
    self.name = name
    self.colour = ColourDescription(
      primaries: colour.0, transfer: colour.1, matrix: colour.2, isFullRange: colour.3 == 1)
    format = PictureFormat(width: 19, height: 3, chroma: chroma, bitDepth: bitDepth)
    self.target = target
    self.tolerance = tolerance
    wishes.convertsToSRGB = srgb
    wishes.peak = peak
    self.alpha = alpha.map {
      AlphaDescription(isPremultiplied: $0.1, background: $0.2)
    }
    alphaDepth = alpha?.0 ?? 8
    self.site = site
    self.expected = expected.split { $0 == " " || $0 == "\n" }.compactMap { Double(String($0)) }
  }

  var testDescription: String { name }

  /// The samples of every plane of the output, one after the other.
  func converted() throws -> [Int] {
    let conversion = try #require(
      try SampleConversion.between(
        format, ColourPlan(colour, wishes: wishes), site: site, alpha: alpha, target: target))
    let cover = alpha.map { _ in
      Samples.picture(
        PictureFormat(width: 19, height: 3, chroma: .monochrome, bitDepth: alphaDepth))
    }
    let source = Samples.picture(format)
    let output = Picture(conversion.outputFormat(height: format.height))
    unsafe conversion.convert(source.view, alpha: cover?.view, at: 0, into: output)
    return Samples.values(output)
  }
}
