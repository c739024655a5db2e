// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusTranscode

@Suite struct TranscodeSettingsTests {
  struct Fit: Sendable, CustomTestStringConvertible {
    var bound: (Int, Int)
    var size: (Int, Int)
    var fitted: (Int, Int)
    var testDescription: String { "\(size.0)x\(size.1) in \(bound.0)x\(bound.1)" }
  }

  /// The numbers are those of the shapes, worked out by hand.
  static let fits: [Fit] = [
    Fit(bound: (1920, 1080), size: (3840, 2160), fitted: (1920, 1080)),
    Fit(bound: (1920, 1080), size: (2160, 3840), fitted: (1080, 1920)),
    Fit(bound: (1920, 1080), size: (4096, 2160), fitted: (1920, 1012)),
    Fit(bound: (1920, 1080), size: (1440, 1440), fitted: (1080, 1080)),
    Fit(bound: (1080, 1920), size: (3840, 2160), fitted: (1920, 1080)),
    Fit(bound: (1920, 1080), size: (1280, 720), fitted: (1280, 720)),
    Fit(bound: (1920, 1080), size: (1279, 719), fitted: (1278, 718)),
    Fit(bound: (1920, 1080), size: (1, 1), fitted: (2, 2)),
    Fit(bound: (1920, 1080), size: (10000, 10), fitted: (1920, 2)),
  ]

  @Test(
    arguments: fits)
  func `it fits pictures into a box lying or standing, with even sides, and enlarges none`(
    _ row: Fit
  ) {
    let bound = SizeBound(row.bound.0, row.bound.1)
    let fitted = bound.fitted(width: row.size.0, height: row.size.1)
    #expect(fitted == row.fitted)
  }

  @Test
  func `it makes times rise that do not, and leaves the others alone`() {
    var times = RisingTimes()
    let repaired = [0, 100, 200, 200, 150, 400, 500].map { times.repaired($0) }
    #expect(repaired == [0, 100, 200, 250, 300, 400, 500])
    #expect(times.count == 2)
  }

  @Test(arguments: TranscodePreset.allCases)
  func `it has presets that differ in what they are for`(_ preset: TranscodePreset) {
    let video = preset.settings.video
    #expect(video.codecs.count == 1)
    #expect((video.bound != nil) == preset.rawValue.hasSuffix("0p"))
    #expect(preset.rawValue.hasPrefix(video.codecs[0].rawValue))
  }
}
