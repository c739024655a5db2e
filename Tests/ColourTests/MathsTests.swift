// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Testing

struct MathsTests {
  /// Seven digits that numpy computed from the chromaticities.
  @Test(arguments: [
    (
      12, 1,
      [
        1.2249402, -0.2249402, 0, -0.0420570, 1.0420570, 0, -0.0196376, -0.0786360, 1.0982736,
      ]
    ),
    (
      9, 1,
      [
        1.6604910, -0.5876411, -0.0728499, -0.1245505, 1.1328999, -0.0083494, -0.0181508,
        -0.1005789, 1.1187297,
      ]
    ),
    (
      9, 12,
      [
        1.3435783, -0.2821797, -0.0613986, -0.0652975, 1.0757879, -0.0104905, 0.0028218, -0.0195985,
        1.0167767,
      ]
    ),
  ])
  func `it turns primaries`(_ source: Int, _ target: Int, _ expected: [Double]) throws {
    let from = try #require(Primaries(codePoint: source))
    let matrix = from.matrix(to: try #require(Primaries(codePoint: target)))
    for place in 0..<9 {
      #expect((matrix[place / 3, place % 3] - expected[place]).magnitude < 6e-8)
    }
  }

  @Test func `it weighs luminance`() {
    let weights = Primaries.displayP3.luminance
    #expect((weights - [0.2289746, 0.6917385, 0.0792869]).indices.allSatisfy { weights[$0] > 0 })
    #expect((weights.x - 0.2289746).magnitude < 6e-8)
    #expect((weights.y - 0.6917385).magnitude < 6e-8)
  }

  @Test func `it knows PQ`() {
    #expect((PQ.value(203) - 0.5806888810).magnitude < 1e-10)
    #expect((PQ.value(1000) - 0.7518270962).magnitude < 1e-10)
    for (luminance, code) in [(1.0, 153.4), (100, 519.8), (203, 594.0), (1000, 769.1)] {
      #expect((PQ.value(luminance) * 1023 - code).magnitude < 0.06)
      #expect((PQ.luminance(PQ.value(luminance)) / luminance - 1).magnitude < 1e-9)
    }
    #expect(PQ.luminance(1) == 10000 && PQ.luminance(7) == 10000 && PQ.luminance(-1) == 0)
  }

  /// Grey on a display of 1000 cd/m².
  @Test(arguments: [(0.25, 9.605), (0.5, 50.697), (0.75, 203.152), (1, 1000)])
  func `it knows HLG`(_ value: Double, _ luminance: Double) {
    let scene = HLG.scene(value)
    let shown = HLG.luminance(scene, ofSceneLuminance: scene)
    #expect((shown / luminance - 1).magnitude < 1e-4)
    #expect((HLG.value(scene) - value).magnitude < 1e-6)
  }

  /// sRGB codes of greys after tone mapping, by peak; each for 1, 10, 50, 100, 203, 400, 1000 and 4000 cd/m².
  @Test(arguments: [
    (400, [15, 63, 136, 186, 244, 255]), (1000, [15, 63, 136, 186, 229, 250, 255]),
    (4000, [15, 63, 135, 174, 208, 232, 250, 255]),
    (10000, [15, 63, 131, 164, 195, 219, 241, 254]),
  ])
  func `it brings light down`(_ peak: Int, _ codes: [Int]) {
    let tone = ToneCurve(peak: Double(peak))
    for (luminance, code) in zip([1.0, 10, 50, 100, 203, 400, 1000, 4000], codes) {
      let value = TransferCurve.srgb.value(tone.luminance(luminance) / 203)
      #expect(Int((value * 255).rounded()) == code)
      #expect(
        (tone.scale(atMaximum: luminance) * luminance - tone.luminance(luminance)).magnitude < 1e-9)
    }
  }

  @Test func `it leaves dark light as it is`() {
    for (peak, knee) in [(400.0, 143.5), (1000, 87.8), (4000, 40.2), (10000, 23.5)] {
      let tone = ToneCurve(peak: peak)
      #expect((tone.luminance(knee - 0.1) - (knee - 0.1)).magnitude < 1e-6)
      #expect(tone.luminance(knee + 2) < knee + 2)
    }
    #expect(ToneCurve(peak: 100).peak == 203 && ToneCurve(peak: 203).luminance(150) == 150)
  }

  @Test(arguments: [
    TransferCurve.srgb, .bt709, .linear, .gamma(2.2), .gamma(2.8), .pq, .hlg,
    .logarithmic(decades: 2), .table([0, 1000, 9000, 30000, 65535]),
    .parametric(ParametricCurve(g: 2, a: 0.9, b: 0.05, c: 0.2, d: 0.1, e: 0.01, f: 0.0025)),
  ])
  func `it goes both ways`(_ curve: TransferCurve) {
    for step in 1...50 {
      let value = Double(step) / 50
      #expect((curve.value(curve.light(value)) - value).magnitude < 1e-6)
    }
  }

  @Test func `it names code points`() {
    let colour = ColourDescription(primaries: 12, transfer: 13, matrix: 5, isFullRange: true)
    #expect(colour.words == "Display P3, sRGB, BT.601 625 lines, full range (12/13/5)")
    #expect(ColourDescription(primaries: 9, transfer: 16, matrix: 9).isHDR)
    #expect(ColourDescription(primaries: 77).primariesName == "reserved 77")
  }
}
