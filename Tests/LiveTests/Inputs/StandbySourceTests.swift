// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import HEVC
import Synchronization
import Testing

@testable import ApusLive
@testable import ApusSamples

@Suite(.timeLimit(.minutes(15))) struct StandbySourceTests {
  /// An input that gives what a test hands to it.
  private final class Feed: Sendable {
    private struct State {
      var events: [SourceEvent] = []
      var isOver = false
      /// Whether everything was taken and the thread that reads waits for more.
      var isDry = false
    }

    private let state = Monitor(State())

    func give(_ items: [StreamItem]) {
      state.change {
        $0.events += items.map(\.event)
        $0.isDry = false
      }
    }

    func end() {
      state.change {
        $0.isOver = true
        $0.isDry = false
      }
    }

    func next() -> SourceEvent? {
      state.change { $0.isDry = $0.events.isEmpty && !$0.isOver }
      return state.wait { state -> SourceEvent?? in
        guard state.events.isEmpty else { return .some(state.events.removeFirst()) }
        return state.isOver ? .some(nil) : nil
      }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Waits until all that was given has been passed on. One that is over is passed on by its end.
    func runDry() { state.wait { $0.isDry || $0.isOver ? () : nil } }
  }

  /// A clock that moves only while an input gives nothing, and then at once.
  private final class IdleClock: Sendable {
    private let time = Atomic<Int64>(0)
    private let feed: Feed

    init(_ feed: Feed) { self.feed = feed }

    var now: Int64 { time.load(ordering: .relaxed) }

    var clock: InputClock {
      InputClock(
        now: { self.now },
        next: { queue, end in
          self.feed.runDry()
          if self.feed.isOver { return queue.next() }
          if let entry = queue.next(until: 0) { return entry }
          self.time.store(max(end, self.now), ordering: .relaxed)
          return nil
        })
    }
  }

  private struct FedSource: SampleSource {
    let tracks: [CodedTrack]
    let feed: Feed
    mutating func next() throws -> SourceEvent? { feed.next() }
  }

  private final class Log: Sendable {
    private let names = Mutex<[String]>([])
    private let lengths = Mutex<[Duration]>([])
    var all: [String] { names.withLock(\.self) }
    /// For how long the stand-by was shown, each time.
    var shown: [Duration] { lengths.withLock(\.self) }

    func note(_ event: InputEvent) {
      if case .resumed(let length) = event { lengths.withLock { $0.append(length) } }
      let name =
        switch event {
        case .stalled: "stalled"
        case .resumed: "resumed"
        case .reopened: "reopened"
        default: "other"
        }
      names.withLock { $0.append(name) }
    }
  }

  private static let stall: Int64 = 400_000_000
  /// Sizes tell where a picture is from.
  private static let (input, other) = (100, 200)

  private func source(
    _ feed: Feed, _ log: Log, _ clock: IdleClock, reopens: Bool = false, _ feeds: [Feed] = []
  ) throws -> StandbySource {
    let tracks = try Handmade.tracks(hasSound: false)
    let opened = Mutex(0)
    let all = [feed] + feeds
    let items = [0, 40].map {
      Handmade.item($0 == 0 ? .idrNLP : .trailR, $0 + 7000, size: Self.other)
    }
    return try StandbySource(
      {
        let index = opened.withLock { number in
          defer { number += 1 }
          return number
        }
        return OpenedMedia(
          FedSource(tracks: tracks, feed: all[min(index, all.count - 1)]), warnings: [])
      }, reopens: reopens, standby: { _ in ListedSource(tracks, items) }, stall: Self.stall,
      clock: clock.clock, { log.note($0) })
  }

  private func next(_ source: inout StandbySource) throws -> (size: Int, time: Int64)? {
    while let event = try source.next() {
      guard case .sample(let sample) = event else { continue }
      return (sample.payload.count, try #require(sample.decodeTime.rounded(to: 1000)))
    }
    return nil
  }

  @Test func `it takes over when the input gives nothing, and goes back at a key frame`() throws {
    let (feed, log) = (Feed(), Log())
    feed.give([Handmade.item(.idrNLP, 500), Handmade.item(.trailR, 540)])
    var source = try source(feed, log, IdleClock(feed))
    var sizes: [Int] = []
    var times: [Int64] = []
    func pull() throws {
      let sample = try #require(try next(&source))
      sizes.append(sample.size)
      times.append(sample.time)
    }
    for _ in 0..<5 { try pull() }
    #expect(sizes == [Self.input, Self.input, Self.other, Self.other, Self.other])
    #expect(times == [500, 540, 580, 620, 660])
    #expect(log.all == ["stalled"])
    // What comes before a key frame is of no use.
    feed.give([
      Handmade.item(.trailR, 580), Handmade.item(.idrNLP, 620), Handmade.item(.trailR, 660),
    ])
    while sizes.last == Self.other { try pull() }
    try pull()
    #expect(sizes.suffix(2) == [Self.input, Self.input])
    #expect(log.all == ["stalled", "resumed"])
    // The last of its pictures is cut short by the key frame, which is there already.
    let others = sizes.count { $0 == Self.other }
    #expect(log.shown == [.milliseconds(40 * (others - 1))])
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 40 }, "\(times)")
    feed.end()
    #expect(try next(&source) == nil)
  }

  @Test func `it plays the stand-by as fast as it is meant to be played`() throws {
    let (feed, log) = (Feed(), Log())
    feed.give([Handmade.item(.idrNLP, 0)])
    let clock = IdleClock(feed)
    var source = try source(feed, log, clock)
    for _ in 0..<2 { _ = try next(&source) }
    let began = clock.now
    for _ in 0..<5 { _ = try next(&source) }
    #expect(clock.now - began == 200_000_000)
  }

  @Test func `it begins with the stand-by where the input does not come`() throws {
    let (feed, log) = (Feed(), Log())
    let tracks = try Handmade.tracks(hasSound: false)
    let items = [Handmade.item(.idrNLP, 0, size: Self.other)]
    var source = try StandbySource(
      {
        _ = feed.next()
        return OpenedMedia(FedSource(tracks: tracks, feed: feed), warnings: [])
      }, reopens: false, standby: { _ in ListedSource(tracks, items) }, stall: Self.stall,
      clock: IdleClock(feed).clock, { log.note($0) })
    #expect(try next(&source)?.size == Self.other)
    feed.give([Handmade.item(.idrNLP, 0), Handmade.item(.idrNLP, 0)])
    while try next(&source)?.size == Self.other {}
    #expect(log.all == ["stalled", "resumed"])
  }

  @Test func `it opens an input again that ends`() throws {
    let (first, second, log) = (Feed(), Feed(), Log())
    first.give([Handmade.item(.idrNLP, 500)])
    first.end()
    second.give([Handmade.item(.trailR, 0), Handmade.item(.idrNLP, 40)])
    var source = try source(first, log, IdleClock(second), reopens: true, [second])
    var times: [Int64] = []
    while times.count < 2, let sample = try next(&source) {
      if sample.size == Self.input { times.append(sample.time) }
    }
    #expect(times.count == 2)
    #expect(times[1] > times[0])
    #expect(log.all.contains("reopened"))
  }
}
