// SPDX-License-Identifier: MIT

import ApusFFmpeg
import ApusMedia
import Testing

@testable import ApusTranscode

@Suite struct LadderTests {
  private func plan(_ ladder: Ladder, _ width: Int, _ height: Int) -> [String] {
    LadderPlan(ladder, width: width, height: height).rungs.map(\.name)
  }

  @Test(
    arguments: [
      (3840, 2160, ["hevc:2160", "hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (2160, 3840, ["hevc:2160", "hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (2560, 1440, ["hevc:2160", "hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (1920, 1080, ["hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (1920, 804, ["hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (1920, 1088, ["hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (1280, 720, ["hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
      (640, 480, ["hevc:540", "h264:540"]),
      (0, 0, ["hevc:2160", "hevc:1080", "hevc:540", "h264:1080", "h264:540"]),
    ])
  func `it makes nothing that is larger than the pictures, and one rung that is as large`(
    _ width: Int, _ height: Int, _ names: [String]
  ) {
    #expect(plan(.standard, width, height) == names)
  }

  @Test
  func `it names a rung that is asked for twice`() {
    let plan = LadderPlan(
      Ladder([.init(.hevc, 540), .init(.hevc, 540, rate: 1_000_000)]), width: 1920, height: 1080)
    #expect(plan.rungs == [Ladder.Rung(.hevc, 540)])
    #expect(plan.leftOut.map(\.reason) == ["is given twice"])
  }

  @Test(
    arguments: [
      (VideoSettings.Codec.h264, 960, 540, false, 2000), (.h264, 1920, 1080, false, 7800),
      (.hevc, 960, 540, false, 1600), (.hevc, 1920, 1080, false, 5800),
      (.hevc, 3840, 2160, false, 16800), (.hevc, 3840, 2160, true, 20000),
      (.hevc, 1080, 1920, true, 7000),
    ])
  func `it takes the highest rate of Apple's tables for each size`(
    _ codec: VideoSettings.Codec, _ width: Int, _ height: Int, _ isHDR: Bool, _ rate: Int
  ) {
    #expect(
      LadderRates.mean(of: codec, width: width, height: height, isHDR: isHDR) == rate * 1000)
  }

  @Test
  func `it has rates between those of the tables for sizes between`() {
    var last = 0
    for height in stride(from: 90, through: 4320, by: 90) {
      let rate = LadderRates.mean(of: .hevc, width: height * 16 / 9, height: height, isHDR: false)
      #expect(rate >= last)
      last = rate
    }
  }

  @Test(
    arguments: [
      // Pictures a second, the units of their times, and the pictures that are key frames.
      (Fraction(25, 1), UInt32(25), [0, 50, 100]),
      (Fraction(30000, 1001), UInt32(30000), [0, 59, 118]),
      (Fraction(30, 1), UInt32(1000), [0, 60, 120]),
      (Fraction(24000, 1001), UInt32(1000), [0, 47, 94, 141]),
    ])
  func `it sets key frames no more than a period apart, as far as pictures allow`(
    _ rate: Fraction, _ timescale: UInt32, _ expected: [Int]
  ) {
    var clock = KeyFrameClock(.milliseconds(2000), frameRate: rate)
    let keys = (0..<150).filter { number in
      let unit = RationalTime(
        Int64(number * rate.denominator), per: UInt32(rate.numerator))
      return clock.isDue(at: RationalTime(unit.rounded(to: timescale) ?? 0, per: timescale))
    }
    #expect(keys == expected)
  }

  @Test
  func `it sets a key frame where pictures begin again after a gap`() {
    var clock = KeyFrameClock(.milliseconds(2000), frameRate: Fraction(10, 1))
    let times: [Int64] = [0, 100, 200, 5000, 5100, 6900, 7000]
    let keys = times.filter { clock.isDue(at: .milliseconds($0)) }
    #expect(keys == [0, 5000, 7000])
  }
}
