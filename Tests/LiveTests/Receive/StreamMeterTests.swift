// SPDX-License-Identifier: MIT

import Testing

@testable import ApusLive
@testable import FLV

@Suite struct StreamMeterTests {
  /// Pictures every 40 ms and 1024 samples of sound at 44,100 Hz, of which those that are sent while nothing gets through arrive
  /// together when something does.
  private func drift(of soundLead: (Int64) -> Int64 = { _ in 0 }, stalls: [Range<Int64>]) -> Double
  {
    var frames = stride(from: Int64(0), to: 12_000, by: 40).map { (type: TagType.video, time: $0) }
    frames += (0..<516).map { (type: TagType.audio, time: Int64($0 * 1024 * 10 / 441)) }
    var meter = StreamMeter()
    var most = 0.0
    for frame in frames.sorted(by: { $0.time < $1.time }) {
      let sent = frame.type == .audio ? frame.time + soundLead(frame.time) : frame.time
      let arrival = stalls.first { $0.contains(sent) }?.upperBound ?? sent
      meter.add(
        frame.type, bytes: 100, time: frame.time, isFrame: true, isKey: false,
        at: arrival * 1_000_000)
      if let drift = meter.drift, abs(drift) > abs(most) { most = drift }
    }
    return most
  }

  @Test(arguments: [
    [], [6000..<7000], [3800..<4600], [3000..<3990, 6000..<6500], [3900..<6900],
    stride(from: Int64(1000), to: 12_000, by: 1000).map { $0..<$0 + 900 },
  ])
  func `what delays both sound and pictures is no drift`(stalls: [Range<Int64>]) {
    #expect(abs(drift(stalls: stalls)) < 40)
  }

  @Test func `sound that falls behind drifts`() {
    #expect((200...400).contains(drift(of: { $0 / 20 }, stalls: [])))
  }
}
