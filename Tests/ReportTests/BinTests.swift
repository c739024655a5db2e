// SPDX-License-Identifier: MIT

import Testing

@testable import ApusReport

/// Samples and bytes are counted in bins, whose sums are those of what came.
struct BinTests {
  @Test(arguments: [1, 7, 8, 9, 16, 17, 1000, 12_345])
  func `it loses no sample, however many come`(_ count: Int) {
    var bins = SampleBins(most: 8)
    for index in 0..<count {
      bins.add(
        size: index + 1, time: Double(index), isKey: index % 5 == 0, type: index < 3 ? .intra : nil)
    }
    #expect(bins.bins.count <= 8)
    #expect(bins.bins.reduce(0) { $0 + $1.count } == count)
    #expect(bins.bins.reduce(0) { $0 + $1.bytes } == count * (count + 1) / 2)
    #expect(bins.bins.map(\.largest).max() == count)
    #expect(bins.bins.reduce(0) { $0 + $1.keys } == (count + 4) / 5)
    #expect(bins.bins.reduce(0) { $0 + $1.types[0] } == min(count, 3))
    #expect(bins.bins.dropLast().allSatisfy { $0.count == bins.perBin })
    #expect(bins.bins.map(\.time) == bins.bins.indices.map { Double($0 * bins.perBin) })
  }

  @Test func `it makes windows longer where there are too many`() {
    var bins = RateBins(window: 1, most: 4)
    for second in 0..<10 { bins.add(100, at: Double(second) + 0.5) }
    #expect(bins.window == 4)
    #expect(bins.bytes == [400, 400, 200])
  }

  @Test func `it finds bytes that nothing uses`() {
    var map = MapBuilder([], size: 10_000)
    map.addMedia(1000..<9000)
    var lane = MapBuilder.Lane(fileSize: 10_000)
    lane.add(1000..<4000)
    lane.add(5000..<9000)
    map.add(lane, "one", anchor: nil)
    let found = map.finished()
    #expect(found.lanes[0].bytes == 7000)
    #expect(found.holeBytes == 1000)
    #expect(found.sharedBytes == 0)
    #expect(found.holes.firstIndex { $0 > 0 } == 400)
  }

  @Test func `it finds bytes that are used twice`() {
    var map = MapBuilder([], size: 1000)
    map.addMedia(0..<1000)
    var lane = MapBuilder.Lane(fileSize: 1000)
    lane.add(100..<300)
    for name in ["one", "two"] { map.add(lane, name, anchor: nil) }
    #expect(map.finished().sharedBytes == 200)
    #expect(map.finished().holeBytes == 800)
  }

  @Test func `it says nothing of holes where nothing says what is used`() {
    var map = MapBuilder([], size: 1000)
    map.addMedia(0..<1000)
    #expect(map.finished().holeBytes == 0)
  }

  @Test(arguments: [true, false])
  func `it counts the pictures that a recording misses`(_ isRecording: Bool) {
    // 30 pictures a second, their times rounded to milliseconds.
    func drops(_ isMissing: (Int) -> Bool, _ time: (Int) -> Int = { $0 * 100 / 3 }) -> Timeline {
      var builder = TimelineBuilder(
        "track", isVideo: true, timescale: 1000, isRecording: isRecording)
      for index in 0..<600 where !isMissing(index) {
        builder.add(
          size: 10, time: Int64(time(index)), delay: 0, duration: nil, isKey: false, offset: nil)
      }
      return builder.finished()
    }
    #expect(drops { _ in false }.drops.isEmpty)
    let some = drops { (100..<103).contains($0) || $0 == 300 || (400..<490).contains($0) }
    let expected = isRecording ? [3: 3, 10: 1, 16: 90] : [:]
    let found = some.drops.enumerated().filter { $1 > 0 }
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0, $1) }) == expected)
    #expect(some.drops.count == (isRecording ? some.rates.count : 0))
    // Where pictures last unequally long none is said to be missing.
    let unequal = drops({ _ in false }, { $0 * 100 / 3 + $0 / 2 * 50 })
    #expect(unequal.drops.isEmpty)
  }

  @Test func `it finds gaps and unequal durations`() {
    var builder = TimelineBuilder("track", isVideo: true, timescale: 1000)
    var time: Int64 = 0
    for index in 0..<100 {
      builder.add(
        size: 10, time: time, delay: 0, duration: nil, isKey: index % 10 == 0, offset: index * 10)
      time += index == 49 ? 2000 : 40
    }
    let timeline = builder.finished()
    #expect(timeline.gaps.count == 1)
    #expect(timeline.gaps[0].length == 2)
    #expect(timeline.gaps[0].sample == 50)
    #expect(timeline.durations.map(\.count) == [98, 1])
    #expect(timeline.durations.map(\.seconds) == [0.04, 2])
    #expect(timeline.keys == 10)
    #expect(timeline.keyDistances.count == 9)
    #expect(timeline.bytes == 1000)
  }
}
