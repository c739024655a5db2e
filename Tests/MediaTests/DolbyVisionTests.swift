// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

struct DolbyVisionTests {
  /// Dolby Vision Profiles and Levels 1.3.2, 2.2.
  @Test(
    arguments: [
      (1280, 720, 24, 1), (1280, 720, 24000.0 / 1001, 1), (1280, 720, 30, 2), (1920, 1080, 24, 3),
      (1920, 1080, 30, 4), (1080, 1920, 30, 4), (1920, 1080, 60, 5), (3840, 2160, 24, 6),
      (3840, 2160, 30, 7), (3840, 2160, 48, 8), (3840, 2160, 60000.0 / 1001, 9),
      (3840, 2160, 120, 10), (7680, 2160, 60, 11), (7680, 4320, 60, 12), (7680, 4320, 120, 13),
      (320, 180, 25, 1),
    ] as [(Int, Int, Double, UInt8)])
  func `it finds the level`(_ width: Int, _ height: Int, _ rate: Double, _ level: UInt8) {
    #expect(DolbyVision.level(width: width, height: height, rate: rate) == level)
  }

  @Test func `it knows no level beyond the last`() {
    #expect(DolbyVision.level(width: 8192, height: 4320, rate: 24) == nil)
    #expect(DolbyVision.level(width: 7680, height: 4320, rate: 240) == nil)
  }

  @Test func `it is named by profile and compatibility`() {
    var vision = DolbyVision(profile: 8, level: 6)
    vision.compatibility = 4
    #expect(vision.name == "Dolby Vision 8.4")
    #expect(!vision.isExclusive)
    #expect(DolbyVision(profile: 5, level: 6).name == "Dolby Vision 5")
    #expect(DolbyVision(profile: 5, level: 6).isExclusive)
  }
}
