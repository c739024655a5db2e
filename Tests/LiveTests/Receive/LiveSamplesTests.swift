// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import FLV
import HEVC
import Testing

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples
@testable import RTMP

/// What comes over a connection: `v` and `a` are configurations, `V` and `A` frames, `m` metadata that announce
/// video alone, each at a time in milliseconds.
struct LiveRow: Sendable, CustomTestStringConvertible {
  var name: String
  var tags: String
  /// What comes out with each tag: samples of the first track, then of the second.
  var samples: String
  var passedOver = 0
  var undecodable = 0
  var testDescription: String { name }
}

@Suite struct LiveSamplesTests {
  static let rows = [
    LiveRow(name: "both configured", tags: "v0 a0 V0 A0 V40", samples: "0/0 0/0 1/0 0/1 1/0"),
    LiveRow(
      name: "frames wait for sound", tags: "v0 V0 V40 a40 A40", samples: "0/0 0/0 0/0 2/0 0/1"),
    LiveRow(name: "metadata say that there is no sound", tags: "m0 v0 V0", samples: "0/0 0/0 1/0"),
    LiveRow(
      name: "two seconds are enough", tags: "v0 V0 V1000 V2000 V2001 a2040 A2040",
      samples: "0/0 0/0 0/0 0/0 4/0 0/0 0/0", passedOver: 1),
    LiveRow(
      name: "frames before their configuration", tags: "V0 V40 v80 a80 V80",
      samples: "0/0 0/0 0/0 2/0 1/0"),
    LiveRow(
      name: "frames that never get one", tags: "V0 V2001 V2040 v2080 a2080 V2080",
      samples: "0/0 0/0 0/0 0/0 1/0 1/0", undecodable: 2),
  ]

  private func tag(_ word: Substring) throws -> ReceivedTag {
    let time = try #require(Int64(word.dropFirst()))
    let record = try Handmade.record().bytes()
    // A picture without parameter sets, which stand in the configuration alone.
    let picture = Handmade.picture(.idrWRADL)
    let (type, data): (MessageType, [UInt8]) =
      switch word.first {
      case "v": (.video, [0x1c, 0, 0, 0, 0] + record)
      case "V": (.video, [0x1c, 1, 0, 0, 0] + picture)
      case "a": (.audio, [0xaf, 0, 0x12, 0x10])
      case "A": (.audio, [0xaf, 1, 0x21, 0x10])
      default:
        (
          .data,
          try AMFMessage(["onMetaData", .object([("videocodecid", 12.0)])]).bytes()
        )
      }
    return try received(type, UInt32(time), data)
  }

  private func received(_ type: MessageType, _ time: UInt32, _ data: [UInt8]) throws -> ReceivedTag
  {
    var clock = TagClock()
    return try #require(
      ReceivedTag(Message(type, timestamp: time, payload: data), clock: &clock))
  }

  @Test(arguments: rows)
  func `it waits for the tracks that are to come, and not for ever`(row: LiveRow) throws {
    var live = LiveSamples()
    var found: [String] = []
    for word in row.tags.split(separator: " ") {
      var counts = [0, 0]
      for event in try live.add(tag(word)) {
        if case .sample(let sample) = event { counts[sample.track] += 1 }
      }
      found.append("\(counts[0])/\(counts[1])")
    }
    #expect(found.joined(separator: " ") == row.samples)
    #expect(live.passedOver == row.passedOver)
    #expect(live.undecodable == row.undecodable)
  }

  @Test func `it refuses a configuration that cannot be read`() throws {
    var live = LiveSamples()
    let tag = try received(.video, 0, [0x1c, 0, 0, 0, 0, 1, 2, 3])
    #expect(throws: (any Error).self) { try live.add(tag) }
  }
}
