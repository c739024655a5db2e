// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@testable import ApusForeign
@testable import ApusSamples

@Suite struct PictureTimesTests {
  private func settle(_ times: PictureTimes, _ rows: [(decode: Int64?, shown: Int64?, order: Int?)])
    -> [String]
  {
    var times = times
    var settled: [PictureTimes.Timed] = []
    for row in rows {
      var sample = ForeignSample(payload: Extent(), isSync: false, duration: 0)
      sample.order = row.order.map {
        PictureOrder(
          count: $0, startsSequence: $0 == 0, bounds: OutputOrder.Bounds(reorder: 2))
      }
      settled += times.add(PictureTimes.Timed(sample: sample, decode: row.decode, shown: row.shown))
    }
    settled += times.flush()
    return settled.map { "\($0.shown ?? -99),\($0.decode ?? -99)" }
  }

  /// Decoding and presentation of `hvc1.mp4` in frames, as ffprobe finds them.
  private static let both = [
    "0,-2", "3,-1", "2,0", "1,1", "6,2", "5,3", "4,4", "9,5", "8,6", "7,7",
  ]
  private static let shown: [Int64] = [0, 3, 2, 1, 6, 5, 4, 9, 8, 7]

  @Test func `it finds decoding times in the order of presentation`() {
    let times = PictureTimes(.decoding(delay: 2), frame: 1)
    #expect(settle(times, Self.shown.map { (nil, $0, nil) }) == Self.both)
  }

  @Test func `it overrides decoding times that are wrong`() {
    var times = PictureTimes(.decoding(delay: 2), frame: 1)
    #expect(settle(times, Self.shown.map { (7, $0, nil) }) == Self.both)
    for time in Self.shown {
      _ = times.add(
        .init(
          sample: ForeignSample(payload: Extent(), isSync: false, duration: 0), decode: 7,
          shown: time))
    }
    // Only the last of them was right.
    #expect(times.repairedDecoding == 9)
  }

  @Test func `it takes fewer pictures than the delay`() {
    let times = PictureTimes(.decoding(delay: 4), frame: 10)
    #expect(
      settle(times, [(nil, 40, nil), (nil, 60, nil), (nil, 50, nil)]) == ["40,0", "60,10", "50,20"])
  }

  @Test func `it finds presentation times in the order counts`() {
    let times = PictureTimes(.presentation(delay: 2), frame: 1)
    let rows = Self.shown.enumerated().map {
      (Int64($0) as Int64?, nil as Int64?, Int($1) * 2 as Int?)
    }
    #expect(settle(times, rows) == Self.both)
  }

  @Test func `it finds both in the order counts`() {
    let times = PictureTimes(.presentation(delay: 2), frame: 1)
    #expect(settle(times, Self.shown.map { (nil, nil, Int($0) * 2) }) == Self.both)
  }

  private static func joined(_ ranges: Range<Int>...) -> [Int] { ranges.flatMap { Array($0) } }

  /// Frames of 1024 samples, 48000 in a second; times are rounded to milliseconds.
  @Test(arguments: [
    ("whole", joined(0..<20), 0), ("one is missing", joined(0..<10, 11..<21), 1),
    ("two gaps", joined(0..<10, 12..<20, 30..<40), 2),
    ("a time that is said twice", joined(0..<10, 11..<12, 11..<20), 0),
    ("every second", joined(0..<20).map { $0 * 2 }, 0),
  ])
  func `it counts gaps between frames of sound`(name: String, frames: [Int], expected: Int) {
    var sound = SoundTimes(frame: 1024, sampleRate: 48000)
    for frame in frames {
      let milliseconds = (Double(frame * 1024) / 48).rounded()
      _ = sound.time(Int64(milliseconds) * 48, duration: 0)
    }
    #expect(sound.gaps == expected, "\(name)")
    // Where the container alone says how long frames are.
    var other = SoundTimes(frame: 0, sampleRate: 48000)
    for frame in frames { _ = other.time(Int64(frame) * 1024, duration: 1024) }
    #expect(other.gaps == expected, "\(name)")
  }

  @Test func `it believes times that are there`() {
    let times = PictureTimes(.presentation(delay: 0), frame: 1)
    let rows: [(Int64?, Int64?, Int?)] = [(10, 12, 0), (11, nil, 6), (12, nil, 4), (13, 13, 2)]
    #expect(settle(times, rows) == ["12,10", "15,11", "14,12", "13,13"])
  }

  @Test func `it fills the gaps of a stream without reordering`() {
    let times = PictureTimes(.nothing, frame: 5)
    let rows: [(Int64?, Int64?, Int?)] = [
      (0, 0, nil), (nil, nil, nil), (10, nil, nil), (nil, 15, nil),
    ]
    #expect(settle(times, rows) == ["0,0", "5,5", "10,10", "15,15"])
  }
}
