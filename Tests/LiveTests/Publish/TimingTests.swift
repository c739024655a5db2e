// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC
import Testing

@testable import ApusLive
@testable import ApusSamples

private let ms: Int64 = 1_000_000

@Suite struct PacerTests {
  @Test(
    arguments: [
      (1, 0, 5000), (1, 40, 5040), (1, 3_600_000, 3_605_000), (2, 40, 5020), (0.5, 40, 5080),
      // 60 days.
      (1, 5_184_000_000, 5_184_005_000),
    ] as [(Double, Int64, Int64)])
  func `it lets a sample go at its time`(speed: Double, time: Int64, moment: Int64) {
    var pacer = Pacer(.paced(speed: speed))
    pacer.start(0, at: 5000 * ms)
    #expect(pacer.due(time * ms, hasRoom: true) == moment * ms)
    #expect(pacer.due(time * ms, hasRoom: false) == moment * ms)
  }

  @Test func `it catches up at twice the speed after a delay`() {
    var pacer = Pacer(.paced(speed: 1))
    pacer.start(0, at: 0)
    pacer.leave(0, at: 0)
    // The process slept for two seconds.
    var now: Int64 = 2000 * ms
    pacer.leave(40 * ms, at: now)
    var moments: [Int64] = []
    for time in stride(from: Int64(80), through: 4400, by: 40) {
      now = max(now, pacer.due(time * ms, hasRoom: true))
      moments.append(now / ms)
      pacer.leave(time * ms, at: now)
    }
    #expect(moments[0] == 2020)
    #expect(moments[1] == 2040)
    // On time again after as long as it slept: 40 + 2 d = 2000 + d.
    #expect(moments.last == 4400)
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 20 })
  }

  @Test func `it lets live input go at once, and only as fast as it plays where there is no room`()
  {
    var pacer = Pacer(.live)
    pacer.start(500 * ms, at: 100 * ms)
    #expect(pacer.due(900 * ms, hasRoom: true) == .min)
    #expect(pacer.due(900 * ms, hasRoom: false) == 500 * ms)
  }

  @Test func `it holds unpaced input while there is no room`() {
    var pacer = Pacer(.unpaced)
    pacer.start(0, at: 0)
    #expect(pacer.due(900 * ms, hasRoom: true) == .min)
    #expect(pacer.due(900 * ms, hasRoom: false) == .max)
  }
}

@Suite struct BackoffTests {
  @Test func `it waits 1, 2, 4 to 30 seconds, half of it by chance`() {
    var waits: [Int: Set<Int64>] = [:]
    for _ in 0..<50 {
      var backoff = Backoff()
      for index in 0..<9 { waits[index, default: []].insert(backoff.fail() / 1_000_000) }
      #expect(backoff.failures == 9)
    }
    for (index, whole) in [1, 2, 4, 8, 16, 30, 30, 30, 30].enumerated() {
      let waits = waits[index] ?? []
      #expect(waits.allSatisfy { (Int64(whole) * 500...Int64(whole) * 1000).contains($0) })
      #expect(waits.count > 10)
    }
  }
}

@Suite struct TimelineTests {
  private func times(_ list: [(track: Int, time: Int64)]) throws -> [Int64] {
    var timeline = Timeline()
    return try list.map { entry in
      let sample = CodedSample(
        track: entry.track, decodeTime: RationalTime(entry.time, per: 44100),
        presentationTime: RationalTime(entry.time + 441, per: 44100), isSync: true,
        payload: Extent())
      let (placed, time) = try timeline.place(sample)
      #expect(placed.decodeTime.rounded(to: 1_000_000_000) == time)
      return time / 1_000_000
    }
  }

  @Test func `it begins at 0`() throws {
    let (second, minute) = (Int64(44100), Int64(44100 * 60))
    #expect(
      try times([(0, minute), (1, minute + 441), (0, minute + second)]) == [0, 10, 1000])
    #expect(try times([(0, -second), (0, 0)]) == [0, 1000])
  }

  @Test func `it holds times that fall a little, and joins those that fall far`() throws {
    #expect(try times([(0, 4410), (0, 8820), (0, 4410)]) == [0, 100, 100])
    #expect(
      try times([(0, 0), (0, 441_000), (0, 441_441), (0, 0), (0, 441)]) == [
        0, 10_000, 10_010, 10_021, 10_031,
      ])
  }

  @Test func `it counts nanoseconds for months`() {
    let sixtyDays = RationalTime(466_560_000_000, per: 90000)
    #expect(sixtyDays.nanoseconds == 5_184_000_000_000_000)
    #expect(RationalTime(-466_560_000_001, per: 90000).nanoseconds == -5_184_000_000_011_112)
    #expect(RationalTime(.max, per: 1).nanoseconds == nil)
    #expect(RationalTime(.min, per: 1).nanoseconds == nil)
    #expect(RationalTime(.max, per: 1_000_000_000).nanoseconds == .max)
  }

  @Test func `it moves by milliseconds exactly`() {
    for timescale in [1000, 44100, 90000, 10_000_000] as [UInt32] {
      for value in [0, 1, 1001, 123_456_789] as [Int64] {
        let moved = RationalTime(value, per: timescale).moved(by: 40)
        let expected = RationalTime(value, per: timescale).rounded(to: 1_000_000_000)
        #expect(moved?.rounded(to: 1_000_000_000) == expected.map { $0 + 40_000_000 })
      }
    }
  }
}
