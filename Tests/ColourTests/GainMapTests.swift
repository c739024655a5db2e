// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Glibc
import Testing

@Suite struct GainMapTests {
  @Test(
    arguments: [(3.482202, 0.0035), (6.902452, 0.0054), (8.0, 0.0059)])
  func `Apple's codes as logarithms are as near as eight bits can be`(
    _ headroom: Double, _ tolerance: Double
  ) {
    let codes = AppleGainCurve.logarithmicCodes(headroom: headroom)
    #expect(codes.count == 256 && codes.first == 0 && codes.last == 255)
    #expect((227...240).contains(Set(codes).count))
    for (code, written) in codes.enumerated() {
      let value = Double(code) / 255
      let light = value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
      let wanted = log2(1 + (headroom - 1) * light)
      let meant = Double(written) / 255 * log2(headroom)
      #expect((wanted - meant).magnitude <= tolerance + 0.0001, "code \(code)")
    }
  }

  @Test(
    // Minimum, maximum, gamma, and the headroom of the HDR picture.
    arguments: [(0.0, 2.3, 1.0, 2.3), (0.0, 2.787109, 0.896973, 2.787109), (-0.5, 2.0, 1.0, 3.0)])
  func `logarithms as Apple's codes mean as much`(
    _ minimum: Double, _ maximum: Double, _ gamma: Double, _ stops: Double
  ) {
    let parameters = GainMapParameters(
      channels: [.init(minimum: minimum, maximum: maximum, gamma: gamma)],
      alternateHeadroom: stops)
    let headroom = AppleGainCurve.headroom(of: parameters)
    #expect((headroom - pow(2, stops)).magnitude < 1e-9)
    for (code, written) in AppleGainCurve.codes(for: parameters).enumerated() {
      let stored = minimum + (maximum - minimum) * pow(Double(code) / 255, 1 / gamma)
      let value = Double(written) / 255
      let light = value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
      let meant = log2(1 + (headroom - 1) * light)
      // Half a code of Apple's is nowhere more.
      #expect((max(stored, 0) - meant).magnitude < 0.01, "code \(code)")
    }
  }

  @Test(
    // Headroom, gamma and the largest difference in stops, by a search in another program.
    arguments: [
      (1.5, 0.5902, 0.0047), (2, 0.6391, 0.0085), (3.482202, 0.7563, 0.0323),
      (6.902452, 0.9193, 0.0756), (8, 0.9574, 0.0861), (65536, 5.6362, 0.1986),
    ])
  func `parameters of ISO 21496-1 come as near to Apple's curve as gamma allows`(
    _ headroom: Double, _ gamma: Double, _ difference: Double
  ) {
    let fit = AppleGainCurve.parameters(headroom: headroom)
    #expect((fit.channels[0].gamma - gamma).magnitude < 1.1e-4)
    #expect((fit.alternateHeadroom - log2(headroom)).magnitude < 1e-9)
    #expect(fit.channels[0].maximum == fit.alternateHeadroom && fit.channels[0].minimum == 0)
    #expect((AppleGainCurve.difference(from: fit) - difference).magnitude < 2e-4)
  }

  @Test(
    // The parameters of an iPhone 16, and logarithms without gamma.
    arguments: [(-0.0074, 2.787109, 0.896973, 0.09563), (0, 2.3, 1, 0.19157)])
  func `the difference of parameters from Apple's curve is known`(
    _ minimum: Double, _ maximum: Double, _ gamma: Double, _ difference: Double
  ) {
    let parameters = GainMapParameters(
      channels: [.init(minimum: minimum, maximum: maximum, gamma: gamma)],
      alternateHeadroom: maximum)
    #expect((AppleGainCurve.difference(from: parameters) - difference).magnitude < 1e-4)
  }

  @Test func `a map of an HDR picture is applied the other way round`() {
    let parameters = GainMapParameters(
      channels: [.init(maximum: 2)], baseHeadroom: 2, alternateHeadroom: 0)
    #expect([0, 0.5, 1, 2, 3].map(parameters.weight(atHeadroom:)) == [-1, -0.75, -0.5, 0, 0])
  }

  @Test(
    // Luminance, and the sRGB code that BT.2390 with a peak of 4000 cd/m² makes of it.
    arguments: [(50.0, 135.0), (203.0, 208.0), (400.0, 232.0), (1000.0, 250.0), (4000.0, 255.0)])
  func `the map of a grey PQ picture is what its tone curve takes away`(
    _ luminance: Double, _ code: Double
  ) throws {
    let format = PictureFormat(width: 4, height: 4, chroma: .yuv444, bitDepth: 10)
    let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
    let computation = try #require(
      try GainComputation(format, colour: colour, peak: 4000))
    let picture = Picture(format)
    for (plane, value) in [UInt16(PQ.value(luminance) * 1023 + 0.5), 512, 512].enumerated() {
      for row in 0..<4 {
        unsafe (picture.plane(plane) + row * picture.strides[plane])
          .initializeMemory(as: UInt16.self, repeating: value, count: 4)
      }
    }
    let map = Picture(computation.mapFormat(height: 4))
    unsafe computation.compute(picture.view, into: map)
    let written = Double(unsafe map.plane(0).load(as: UInt8.self))
    let maximum = try #require(computation.parameters.channels.first).maximum
    let sdr = pow((code / 255 + 0.055) / 1.055, 2.4)
    let wanted = log2((luminance / 203 + 1.0 / 64) / (sdr + 1.0 / 64))
    // Half a code of sRGB, PQ and the map each.
    #expect((written / 255 * maximum - wanted).magnitude < 0.03)
    #expect((computation.parameters.alternateHeadroom - log2(4000 / 203.0)).magnitude < 1e-9)
  }

  @Test(
    arguments: [(13, 4000.0), (16, 203.0)])
  func `nothing is computed of what is not HDR, or no brighter than SDR`(
    _ transfer: Int, _ peak: Double
  ) throws {
    let format = PictureFormat(width: 4, height: 4, chroma: .yuv444, bitDepth: 10)
    let colour = ColourDescription(primaries: 9, transfer: transfer, matrix: 9)
    #expect(try GainComputation(format, colour: colour, peak: peak) == nil)
  }

  @Test
  func `weights rise between the two headrooms`() {
    let parameters = GainMapParameters(
      channels: [.init(maximum: 3)], baseHeadroom: 0.25, alternateHeadroom: 2.25)
    #expect([0, 0.25, 1.25, 2.25, 9].map(parameters.weight(atHeadroom:)) == [0, 0, 0.5, 1, 1])
  }
}
