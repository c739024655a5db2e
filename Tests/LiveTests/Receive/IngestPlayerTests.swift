// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import ApusTransport
import FLV
import HEVC
import RTMP
import TestSupport
import Testing

@testable import ApusContainers
@testable import ApusLive

@Suite struct IngestPlayerTests {
  /// Pictures of a stream whose tags all call them key frames.
  private func tags(_ types: [NALUnitType]) throws -> [OutgoingTag] {
    var options = Packetizer.Options()
    options.dialect = .enhanced
    let video = VideoTrack(.hevc(try Handmade.record()))
    var packetizer = try Packetizer(video: [video], audio: [], options: options)
    var tags = try packetizer.start()
    for (index, type) in types.enumerated() {
      let frame = Frame(
        .video, decodeTime: .milliseconds(Int64(index) * 40),
        payload: Extent(Handmade.picture(type, size: 100 + index)))
      tags += try packetizer.add(frame)
    }
    return tags.map { tag in
      var tag = tag
      if tag.type == .video { tag.head[0] = 0x90 | tag.head[0] & 15 }
      return tag
    }
  }

  @Test func `it gives players configurations, then everything from a true key frame on`() throws {
    let pictures: [NALUnitType] = [
      .idrWRADL, .trailR, .trailR, .trailR, .trailN, .cra, .raslN, .trailR,
    ]
    let publisher = FilePublisher(try tags(pictures))
    let setup = publisher.tags.count - pictures.count
    let bench = try IngestBench(.flv)
    let url = bench.url()
    var received: [ReceivedTag] = []
    publisher.onRunning = { publisher in publisher.send(0..<setup + 2) }
    var player: ClientLink?
    bench.onEvent = { [unowned bench] event in
      switch event {
      case .format where player == nil:
        do {
          let configuration = ClientConfiguration(try Address(url), for: .play)
          player = ClientLink(configuration, on: bench.loop) { _, event in
            if case .tag(let tag) = event { received.append(tag) }
          }
          player?.open()
        } catch {
          Issue.record("\(error)")
        }
      case .playing:
        bench.loop.after(0) {
          publisher.send(setup + 2..<publisher.tags.count)
          publisher.link?.end()
        }
      default: break
      }
    }
    try publisher.open(url, on: bench.loop)
    bench.run()
    let expected = publisher.tags[..<setup] + publisher.tags[(setup + 5)...]
    #expect(received.map(\.type) == expected.map(\.type))
    for (tag, wanted) in zip(received, expected) {
      #expect(tag.data == wanted.head + (try wanted.payload.bytes()))
    }
  }
}
