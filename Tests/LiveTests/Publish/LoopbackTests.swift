// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusThreads
import ApusTransport
import FLV
import HEVC
import RTMP
import Synchronization
import TestSupport
import Testing

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples

/// Publishers and servers of ours, over sockets on one loop.
@Suite(.timeLimit(.minutes(5))) struct LoopbackTests {
  /// A server that keeps what it is sent, one list for each connection.
  private final class Recorder: @unchecked Sendable {
    let loop: EventLoop
    var listener: Listener?
    var links: [ServerLink] = []
    var recordings: [[ReceivedTag]] = []
    private(set) var port: UInt16 = 0
    var onTag: () -> Void = {}

    init(_ loop: EventLoop) { self.loop = loop }

    func listen() throws {
      let made = try Listener(
        host: "127.0.0.1", port: port, ServerConfiguration(), on: loop
      ) { [unowned self] link, event in
        switch event {
        case .request:
          links.append(link)
          recordings.append([])
          link.accept()
        case .tag(let tag):
          if let index = links.firstIndex(where: { $0 === link }) { recordings[index].append(tag) }
          onTag()
        default: break
        }
      }
      listener = made
      port = made.port
    }

    func die() {
      listener?.close()
      listener = nil
      for link in links { link.abort() }
    }
  }

  /// The outcome of a stream to one server.
  private struct Published {
    var outcome: MediaError?
    var statistics = PublishStatistics()
    var systemCalls = 0
  }

  private func publish(
    _ source: any SampleSource & Sendable, _ pace: Pacer.Mode, _ dialect: DialectChoice = .auto,
    to recorder: Recorder, on loop: EventLoop? = nil,
    _ events: @escaping (PublishEvent) -> Void = { _ in }
  ) throws -> Published {
    let loop = loop ?? recorder.loop
    let address = try Address("rtmp://127.0.0.1:\(recorder.port)/live/key")
    var options = PublishOptions()
    options.dialect = dialect
    var published = Published()
    let broadcast = Broadcast(source.tracks, MediaDetails(), pace, on: loop) { _, event in
      if case .ended(let statistics) = event { published.statistics = statistics }
      events(event)
    }
    broadcast.onEnd = { loop.stop() }
    broadcast.onTargetEnd = { published.outcome = $1 }
    try broadcast.add(BroadcastTarget(id: 1, [address], options))
    let run = try #require(broadcast.members[1]?.run as? PublishRun)
    broadcast.start(source)
    loop.after(300_000_000_000) { loop.stop() }
    loop.run()
    published.systemCalls = run.systemCalls
    return published
  }

  private func frames(_ tags: [ReceivedTag]) -> [ReceivedTag] {
    tags.filter { tag in
      let packet = Packet(tag.type, tag.data.span, data: 0..<tag.data.count)
      return tag.type != .script && packet?.kind == .frames
    }
  }

  @Test(arguments: [
    "enhanced.flv", "legacy.flv", "avc.flv", "hvc1.mp4", "movie.mov", "stream.hevc",
  ])
  func `it delivers what the source holds`(name: String) throws {
    let input = try MediaInput.open(Fixture.source(name))
    var reader = ItemReader(input.source.tracks)
    var copy = input.source
    var payloads: [[UInt8]] = []
    while let event = try copy.next() {
      guard let item = try reader.item(event), case .sample(let sample) = item.event else {
        continue
      }
      payloads.append(try sample.payload.bytes())
    }
    for dialect in DialectChoice.allCases {
      let recorder = Recorder(try EventLoop())
      try recorder.listen()
      let run = try publish(input.source, .unpaced, dialect, to: recorder)
      #expect(run.outcome == nil)
      try #require(recorder.recordings.count == 1)
      let received = frames(recorder.recordings[0])
      #expect(received.count == payloads.count)
      for (tag, payload) in zip(received, payloads) {
        #expect(Array(tag.data.suffix(payload.count)) == payload)
        #expect(tag.data.count - payload.count <= 8)
      }
    }
  }

  @Test func `it goes on when the server is started again`() throws {
    let items = (0..<150).map { index in
      Handmade.item(index % 10 == 0 ? .idrWRADL : .trailR, Int64(index) * 40)
    }
    let recorder = Recorder(try EventLoop())
    try recorder.listen()
    recorder.onTag = { [unowned recorder] in
      guard recorder.recordings.count == 1, recorder.recordings[0].count == 40 else { return }
      recorder.loop.after(0) { recorder.die() }
    }
    var losses = 0
    let source = ListedSource(try Handmade.tracks(hasSound: false), items)
    let run = try publish(source, .paced(speed: 2), to: recorder) { event in
      guard case .lost = event else { return }
      losses += 1
      do { try recorder.listen() } catch { Issue.record("\(error)") }
    }
    #expect(run.outcome == nil)
    #expect(losses == 1)
    try #require(recorder.recordings.count == 2)
    let times = recorder.recordings.map { frames($0).map(\.time) }
    #expect(times[0].first == 0)
    #expect(times[1].last == 5960)
    let all = times[0] + times[1]
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
    // Within a connection nothing is missing, and the second begins at a key frame.
    for times in times {
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 + 40 == $1 })
    }
    #expect((times[1].first ?? 1) % 400 == 0)
  }

  /// What a connection took at once, without having been asked, it does not tell to be drained either. The server
  /// reads beside the publisher here, for the kernel takes everything only while somebody does.
  @Test func `it sends on when everything was taken at once`() throws {
    let items = (0..<400).map { index in
      Handmade.item(index % 10 == 0 ? .idrWRADL : .trailR, Int64(index) * 40, size: 60_000)
    }
    let recorder = Recorder(try EventLoop())
    try recorder.listen()
    try #require(Thread.start { recorder.loop.run() })
    defer { recorder.loop.perform { recorder.loop.stop() } }
    // Time stands still, so that no deadline wakes it.
    let loop = try EventLoop(clock: LoopClock { 1 })
    let run = try publish(
      ListedSource(try Handmade.tracks(hasSound: false), items), .unpaced, to: recorder,
      on: loop)
    #expect(run.outcome == nil)
    #expect(run.statistics.samples == items.count)
  }

  @Test func `it sends a paced frame with one system call`() throws {
    let items = (0..<50).map { Handmade.item($0 == 0 ? .idrWRADL : .trailR, Int64($0) * 40) }
    let recorder = Recorder(try EventLoop())
    try recorder.listen()
    let run = try publish(
      ListedSource(try Handmade.tracks(hasSound: false), items), .paced(speed: 4), to: recorder)
    #expect(run.outcome == nil)
    // The handshake, the commands, the end.
    #expect(run.systemCalls <= 50 + 12)
  }
}
