// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@testable import ApusForeign

@Suite struct RepeatedTimesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var decode: [Int64?]
    var expected: [Int64?]
  }

  /// A picture lasts 3600 units; what libavformat says, and the decoding times in the headers of the packets.
  static let rows = [
    Row(
      testDescription: "the second begins in the packet",
      decode: [3600, 7200, 14400, 14400, 18000],
      expected: [3600, 7200, nil, 14400, 18000]),
    Row(
      testDescription: "the first begins in the packet", decode: [3600, 7200, 10800, 10800, 18000],
      expected: [3600, 7200, 10800, nil, 18000]),
    Row(
      testDescription: "the second, after one without times",
      decode: [3600, nil, 14400, 14400, 18000], expected: [3600, nil, nil, 14400, 18000]),
    Row(
      testDescription: "the first, after one without times",
      decode: [3600, nil, 10800, 10800, nil, 21600],
      expected: [3600, nil, 10800, nil, nil, 21600]),
    Row(
      testDescription: "the first of all", decode: [3600, 3600, 7200], expected: [nil, 3600, 7200]),
    Row(testDescription: "none", decode: [3600, nil, nil], expected: [3600, nil, nil]),
  ]

  @Test(arguments: rows)
  func `times that are said twice belong to one picture`(row: Row) {
    var repeats = RepeatedTimes(frame: 3600)
    var found: [ForeignSample] = []
    for decode in row.decode {
      let sample = ForeignSample(
        payload: Extent(), isSync: false, presentationTime: decode.map { $0 + 3600 },
        decodeTime: decode, duration: 0)
      if let ready = repeats.add(sample) { found.append(ready) }
    }
    if let last = repeats.finish() { found.append(last) }
    #expect(found.map(\.decodeTime) == row.expected)
    #expect(found.map(\.presentationTime) == row.expected.map { $0.map { $0 + 3600 } })
  }
}
