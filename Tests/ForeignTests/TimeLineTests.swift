// SPDX-License-Identifier: MIT

import Testing

@testable import ApusForeign

@Suite struct TimeLineTests {
  private func line(bits: Int = 33, closesGaps: Bool = true) -> TimeLine {
    TimeLine(timescale: 90000, scale: 1, timeBits: bits, closesGaps: closesGaps)
  }

  private func moved(_ line: inout TimeLine, _ times: [Int64], _ jumps: inout TimeJumps) -> [Int64?]
  {
    times.map { line.moved($0, $0 + 7200, duration: 3600, &jumps)?.decode }
  }

  @Test func `it goes on behind a wrap`() {
    var line = line()
    var jumps = TimeJumps()
    let end: Int64 = 1 << 33
    let times = moved(&line, [end - 3600, 0, 3600], &jumps)
    #expect(times == [end - 3600, end, end + 3600])
    #expect(line.wraps == 1)
    #expect(jumps.restarts == 0)
  }

  @Test func `it wraps presentation too`() {
    var line = line()
    var jumps = TimeJumps()
    let end: Int64 = 1 << 33
    let times = line.moved(end - 3600, 3600, duration: 3600, &jumps)
    #expect(times?.decode == end - 3600)
    #expect(times?.shown == end + 3600)
  }

  @Test func `it wraps as often as it takes`() {
    var line = line()
    var jumps = TimeJumps()
    let turn: Int64 = 1 << 33
    let steps = (0..<12).map { $0 * (turn / 4) }
    var near = TimeLine(timescale: 1 << 30, scale: 1, timeBits: 33, closesGaps: false)
    #expect(moved(&near, steps.map { $0 % turn }, &jumps) == steps)
    #expect(near.wraps == 2)
    #expect(line.wraps == 0)
    _ = moved(&line, [0], &jumps)
  }

  @Test func `it goes on where times begin again`() {
    var line = line()
    var jumps = TimeJumps()
    #expect(
      moved(&line, [900_000, 903_600, 0, 3600], &jumps) == [900_000, 903_600, 907_200, 910_800])
    #expect(jumps.restarts == 1)
  }

  @Test func `it closes gaps of clocks that leap`() {
    var line = line()
    var jumps = TimeJumps()
    #expect(moved(&line, [0, 3600, 9_000_000], &jumps) == [0, 3600, 7200])
    #expect(jumps.gaps == 1)
    var other = self.line(closesGaps: false)
    jumps = TimeJumps()
    #expect(moved(&other, [0, 3600, 9_000_000], &jumps) == [0, 3600, 9_000_000])
  }

  /// So that sound stays where the pictures are.
  @Test func `it follows the track that jumped first`() {
    var pictures = line()
    var sound = line()
    var jumps = TimeJumps()
    _ = moved(&pictures, [900_000, 903_600], &jumps)
    _ = moved(&sound, [900_000, 901_920], &jumps)
    #expect(moved(&pictures, [0], &jumps) == [907_200])
    #expect(moved(&sound, [100], &jumps) == [907_300])
    #expect(jumps.restarts == 1)
  }

  @Test(arguments: [Int64.min, Int64.max, Int64.min + 1, Int64(1) << 62])
  func `it survives numbers beyond any stream`(time: Int64) {
    for bits in [33, 64] {
      var line = TimeLine(timescale: 90000, scale: 1001, timeBits: bits, closesGaps: true)
      var jumps = TimeJumps()
      _ = line.moved(0, 0, duration: 0, &jumps)
      #expect(line.moved(time, 0, duration: 0, &jumps) == nil)
    }
  }
}
