// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import HEVC
import Testing

@testable import ApusLive
@testable import ApusSamples

/// A queue whose producer stays ahead never runs empty, and must release what was taken all the same.
@Suite struct WaitingSamplesTests {
  /// Samples that tell whether somebody still holds them.
  private struct Samples {
    private struct Held { weak var source: MemorySource? }
    private var made: [Held] = []

    mutating func event(_ index: Int) -> SourceEvent {
      let source = MemorySource(Handmade.picture(.idrNLP))
      made.append(Held(source: source))
      return .sample(
        CodedSample(
          track: 0, decodeTime: .milliseconds(Int64(index) * 40), isSync: true,
          payload: Extent(source, 0..<source.count)))
    }

    var alive: Int { made.count { $0.source != nil } }
  }

  private static let ahead = 3
  private static let count = 1000

  @Test func `the queue of an input releases what was taken`() {
    let queue = InputQueue()
    var samples = Samples()
    for index in 0..<Self.count {
      queue.put(.event(samples.event(index)))
      if index >= Self.ahead { _ = queue.next() }
    }
    #expect(samples.alive == Self.ahead)
  }

  @Test func `the queue of a sink releases what was taken`() throws {
    let queue = SinkQueue(try Handmade.tracks(hasSound: false), longest: 10_000_000_000)
    queue.open()
    var samples = Samples()
    for index in 0..<Self.count {
      #expect(queue.put(samples.event(index), time: Int64(index) * 40_000_000).isEmpty)
      if index >= Self.ahead { _ = queue.next() }
    }
    #expect(samples.alive == Self.ahead)
  }

  @Test func `a thread that may not wait adds to a full queue and is called once there is room`() {
    let queue = InputQueue(capacity: 400)
    let calls = Monitor(0)
    var samples = Samples()
    let hasRoom = (0..<6).map { index in
      queue.add(.event(samples.event(index))) { calls.withLock { $0 += 1 } }
    }
    #expect(hasRoom == [true, true, true, false, false, false])
    for _ in 0..<3 { _ = queue.next() }
    #expect(calls.withLock(\.self) == 0)
    _ = queue.next()
    #expect(calls.withLock(\.self) == 1)
    #expect(queue.add(.event(samples.event(6))) {})
  }

  @Test func `it returns nothing where nothing came until a time`() {
    let entry = InputQueue().next(until: 0)
    if entry != nil { Issue.record("an entry came from nowhere") }
  }
}
