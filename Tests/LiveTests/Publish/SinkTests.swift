// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import ApusTransport
import HEVC
import Synchronization
import Testing

@testable import ApusLive
@testable import ApusSamples

@Suite(.timeLimit(.minutes(15))) struct SinkTests {
  private func put(_ queue: SinkQueue, _ items: [StreamItem]) -> [Drop] {
    items.flatMap { item -> [Drop] in
      guard case .sample(let sample) = item.event else { return queue.put(item.event, time: 0) }
      return queue.put(item.event, time: sample.decodeTime.nanoseconds ?? 0)
    }
  }

  private func rest(_ queue: SinkQueue) -> [Int64] {
    queue.end()
    var times: [Int64] = []
    while let event = queue.next() {
      if case .sample(let sample) = event {
        times.append(sample.decodeTime.rounded(to: 1000) ?? -1)
      }
    }
    return times
  }

  @Test func `a queue keeps nothing before somebody reads, and begins at a key frame`() throws {
    let queue = SinkQueue(try Handmade.tracks(), longest: 1_000_000_000)
    let early = put(queue, [Handmade.item(.idrNLP, 0), Handmade.sound(0)])
    #expect(early.map(\.kind) == [.outage, .outage])
    queue.open()
    let late = put(
      queue, [Handmade.item(.trailR, 40), Handmade.sound(40), Handmade.item(.idrNLP, 80)])
    #expect(late.map(\.kind) == [.untilKeyFrame, .untilKeyFrame])
    #expect(put(queue, [Handmade.sound(80)]).isEmpty)
    #expect(rest(queue) == [80, 80])
  }

  @Test func `a queue that is full is emptied, up to a key frame`() throws {
    let queue = SinkQueue(try Handmade.tracks(), longest: 100_000_000)
    queue.open()
    var record = try Handmade.record()
    record.generalLevelIDC = 183
    var items = [0, 40, 80].map { Handmade.item($0 == 0 ? .idrNLP : .trailR, $0) }
    items.append(StreamItem(.format(track: 0, .hevc(record))))
    #expect(put(queue, items).isEmpty)
    let drops = put(queue, [Handmade.item(.trailR, 120)])
    #expect(drops.map(\.samples) == [4])
    #expect(put(queue, [Handmade.item(.idrNLP, 160)]).isEmpty)
    // What came of the configuration is not lost.
    guard case .format? = queue.next() else {
      Issue.record("the format is gone")
      return
    }
    #expect(rest(queue) == [160])
  }

  /// A sink whose first connection breaks after so many samples.
  private final class Breaking: StreamSink {
    let name = "somewhere"
    let most: Int
    let times = Mutex<[[Int64]]>([])

    init(after most: Int) { self.most = most }

    func losses(of tracks: [CodedTrack]) -> [String] { [] }

    func open() throws { times.withLock { $0.append([]) } }

    func send(_ source: any SampleSource & Sendable) throws {
      var source = source
      while let event = try source.next() {
        guard case .sample(let sample) = event else { continue }
        let isBroken = times.withLock { times in
          times[times.count - 1].append(sample.decodeTime.rounded(to: 1000) ?? -1)
          return times.count == 1 && times[0].count == most
        }
        if isBroken { throw MediaError(.io, "it broke") }
      }
    }

    func cancel() {}
  }

  @Test func `a connection that is lost is made again, and the stream goes on at a key frame`()
    throws
  {
    let loop = try EventLoop()
    let sink = Breaking(after: 5)
    let tracks = try Handmade.tracks(hasSound: false)
    var names: [String] = []
    let broadcast = Broadcast(tracks, MediaDetails(), .paced(speed: 1), on: loop) { _, event in
      switch event {
      case .opening(let name, let attempt): names.append("opening \(name) \(attempt)")
      case .sending: names.append("sending")
      case .lost(let reason, _): names.append("lost: \(reason)")
      case .ended(let statistics): names.append("ended, lost \(statistics.losses)")
      default: break
      }
    }
    broadcast.onEnd = { loop.stop() }
    broadcast.add(1, sink, PublishOptions())
    let items = (0..<75).map { Handmade.item($0 % 5 == 0 ? .idrNLP : .trailR, Int64($0) * 40) }
    broadcast.start(ListedSource(tracks, items))
    loop.after(300_000_000_000) { loop.stop() }
    loop.run()
    #expect(
      names == [
        "opening somewhere 1", "sending", "lost: it broke", "opening somewhere 2", "sending",
        "ended, lost 1",
      ])
    let times = sink.times.withLock(\.self)
    #expect(times.count == 2)
    #expect(times[0] == [0, 40, 80, 120, 160])
    let second = try #require(times.last)
    let first = try #require(second.first)
    #expect(first % 200 == 0)
    #expect(second == Array(stride(from: first, through: 2960, by: 40)))
  }
}
