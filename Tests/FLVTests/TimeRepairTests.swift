// SPDX-License-Identifier: MIT

import FLV
import Testing

/// Tags as they come, each with its time: `v` are pictures, `w` those of a second track, `a` sound and `c` a configuration
/// of pictures.
struct TimeRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var tags: String
  var times: String
  var restarts = 0
  var held = 0

  init(_ name: String, _ tags: String, _ times: String, restarts: Int = 0, held: Int = 0) {
    (testDescription, self.tags, self.times) = (name, tags, times)
    (self.restarts, self.held) = (restarts, held)
  }

  static let all = [
    TimeRow("tracks out of order", "v0 a20 v40 a30 w0 v80 w40 a60", "0 20 40 30 0 80 40 60"),
    TimeRow(
      "both begin again", "v0 a0 v40 a23 v80 a46 v0 a0 v40 a23", "0 0 40 23 80 46 120 120 160 143",
      restarts: 1),
    TimeRow(
      "sound of before comes after pictures of afterwards",
      "v0 a0 v40 a23 v80 v0 a46 a69 v40 a0 a23",
      "0 0 40 23 80 120 46 69 160 120 143", restarts: 1),
    TimeRow(
      "sound is ahead when pictures begin again", "v0 a400 v40 a423 v0 a0 v40 a23",
      "0 400 40 423 463 463 503 486", restarts: 1),
    TimeRow(
      "a clock is set back", "v0 v40 v80 v120 v160 v50 v90 v130", "0 40 80 120 160 200 240 280",
      restarts: 1),
    TimeRow(
      "times of one track only rise over the fall of the other",
      "v0 a0 v1000 a1000 v2000 a2000 a1300 a2300 v2400",
      "0 0 1000 1000 2000 2000 3000 4000 4100", restarts: 1),
    TimeRow("twice", "v0 v40 v80 v0 v40 v80 v0", "0 40 80 120 160 200 240", restarts: 2),
    TimeRow(
      "after hours", "v7200000 v7200040 v0 v40", "7200000 7200040 7200080 7200120", restarts: 1),
    TimeRow("one wrong time", "v0 v40 v80 v16 v160 v200", "0 40 80 120 160 200", restarts: 1),
    TimeRow("less than a step", "v0 v40 v80 v70 v120", "0 40 80 80 120", held: 1),
    TimeRow(
      "pictures in the order of presentation", "v0 v120 v40 v80 v240 v160 v200 v360",
      "0 120 120 120 240 240 240 360", held: 4),
    TimeRow(
      "a leap that is taken back", "v0 v40 v100000 v80 v120", "0 40 100000 101000 101040",
      restarts: 1),
    TimeRow("a configuration with the time 0", "v0 v9000 c0 v9040", "0 9000 9000 9040"),
    TimeRow(
      "a configuration before a new beginning", "v0 v40 v80 c0 v0 v40", "0 40 80 80 120 160",
      restarts: 1),
    TimeRow(
      "a track that begins after a fall", "v0 v40 v80 v0 v40 a40", "0 40 80 120 160 160",
      restarts: 1),
    TimeRow("a time before 0", "v0 a-20 a3", "0 0 3", held: 1),
  ]
}

@Suite struct TimeRepairTests {
  @Test(arguments: TimeRow.all)
  func `times rise, and keep their distances`(row: TimeRow) throws {
    var repair = TimeRepair()
    var times: [String] = []
    for word in row.tags.split(separator: " ") {
      let stored = try #require(Int64(word.dropFirst()))
      let time = repair.time(
        of: word.first == "a" ? .audio : .video, track: word.first == "w" ? 1 : 0,
        isFrame: word.first != "c", stored)
      times.append("\(time)")
    }
    #expect(times.joined(separator: " ") == row.times)
    #expect(repair.restarts == row.restarts)
    #expect(repair.held == row.held)
  }

  @Test func `a stream that is looped stays together`() {
    // 30 pictures of 40 ms and 52 frames of sound of 23 ms, a hundred times.
    var repair = TimeRepair()
    var last: [TagType: Int64] = [:]
    for _ in 0..<100 {
      let tags =
        (0..<30).map { (TagType.video, Int64($0) * 40) } + (0..<52).map { (.audio, Int64($0) * 23) }
      for (type, stored) in tags.sorted(by: { $0.1 < $1.1 }) {
        let time = repair.time(of: type, stored)
        #expect(time >= last[type] ?? 0)
        last[type] = time
        let other = last[type == .video ? .audio : .video] ?? 0
        #expect((time - other).magnitude <= 80)
      }
    }
    #expect(repair.restarts == 99)
    #expect(repair.held == 0)
  }
}
