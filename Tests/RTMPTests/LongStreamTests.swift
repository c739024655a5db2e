// SPDX-License-Identifier: MIT

import FLV
import Testing

@testable import RTMP

@Suite struct LongStreamTests {
  /// Days past the places where 24, 31 and 32 bits of milliseconds end.
  @Test(arguments: [Int64(0), 0x7fff_f000])
  func `it keeps time for 60 days`(start: Int64) throws {
    var wire = Wire(SessionTests.client(), cut: .every(60_000))
    wire.connect()
    let day: Int64 = 86_400_000
    var (time, random) = (start, Seeded(51))
    var times: [Int64] = []
    while time < start + 60 * day {
      let batch = (0..<500).map { _ in
        time += .random(in: 0...55_000, using: &random)
        times.append(time)
        return OutgoingTag.sample(
          time % 3 == 0 ? .audio : .video, at: time, [UInt8](repeating: 7, count: Int(time % 40)))
      }
      try wire.publish(batch)
    }
    #expect(wire.received.map(\.time) == times)
    #expect(
      wire.received.map(\.timestamp) == times.map { UInt32(truncatingIfNeeded: $0) })
  }

  /// FFmpeg and OBS write 31 bits.
  @Test func `it goes on where a publisher falls back after 24 days`() throws {
    var clock = TagClock()
    let times = [0x7fff_ffe0, 0x7fff_fff0, 0, 0x10].compactMap { timestamp in
      ReceivedTag(
        Message(.video, timestamp: timestamp, streamID: 1, payload: [0x27]), clock: &clock)?.time
    }
    #expect(times == [0x7fff_ffe0, 0x7fff_fff0, 0x8000_0000, 0x8000_0010])
  }
}
