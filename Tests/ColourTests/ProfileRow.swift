// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import TestSupport
import Testing

/// A profile that littleCMS wrote, and what it makes of samples on their way to sRGB.
struct ProfileRow: CustomTestStringConvertible, Sendable {
  var name: String
  /// The property that must be true.
  var means: String
  /// Red, green and blue of pixels, or their grey.
  var samples: [Int]
  var expected: [Int]
  var bytes: [UInt8]

  init(
    _ name: String, means: String, _ samples: [Int], _ expected: [Int], _ bytes: String
  ) {
    self.name = name
    self.means = means
    self.samples = samples
    self.expected = expected
    self.bytes = hex(bytes)
  }

  var testDescription: String { name }

  /// The samples as sRGB pixels.
  func converted() throws -> [Int] {
    let isGrey = name.contains("grey")
    let chroma: Chroma = isGrey ? .monochrome : .yuv444
    let count = samples.count / (isGrey ? 1 : 3)
    let format = PictureFormat(width: count, height: 1, chroma: chroma, bitDepth: 8)
    var wishes = ColourPlan.Wishes()
    wishes.convertsToSRGB = true
    let colour = ColourDescription(matrix: 0, isFullRange: true)
    let plan = try ColourPlan(colour, profile: bytes, wishes: wishes)
    let conversion = try #require(try SampleConversion.between(format, plan, target: .rgb8))
    let source = Samples.picture(format) { plane, x, _ in
      // Green, blue, red.
      isGrey ? samples[x] : samples[3 * x + (plane + 1) % 3]
    }
    let output = Picture(conversion.outputFormat(height: 1))
    unsafe conversion.convert(source.view, at: 0, into: output)
    return Samples.values(output)
  }
}
