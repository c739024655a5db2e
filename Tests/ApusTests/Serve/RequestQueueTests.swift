// SPDX-License-Identifier: MIT

import ApusThreads
import Testing

@testable import ApusCommand

@Suite struct RequestQueueTests {
  @Test func `it takes as many as may wait, and those that its workers have`() {
    let queue = RequestQueue(workers: 2, most: 3)
    for _ in 0..<5 {
      #expect(!queue.isFull)
      #expect(queue.add("a") { _ in })
    }
    #expect(queue.isFull)
    #expect(!queue.add("b") { _ in })
    #expect(queue.counts == (5, 0))
  }

  /// Waits until so many of the numbers are there.
  private static func numbers(_ count: Int, of state: Monitor<[Int]>) throws -> [Int] {
    try #require(
      state.wait(until: MonotonicTime.now + 30_000_000_000) { $0.count >= count ? $0 : nil })
  }

  @Test func `its workers carry out what waits, each after it was prepared`() throws {
    let queue = RequestQueue(workers: 3, most: 10)
    let (prepared, done) = (Monitor<[Int]>([]), Monitor<[Int]>([]))
    for number in 0..<7 { #expect(queue.add("a") { _ in done.change { $0.append(number) } }) }
    #expect(queue.start { prepared.change { $0.append(1) } })
    #expect(try Self.numbers(7, of: done).sorted() == Array(0..<7))
    #expect(try Self.numbers(3, of: prepared).count == 3)
    // Those that come later, too.
    #expect(queue.add("a") { _ in done.change { $0.append(7) } })
    #expect(try Self.numbers(8, of: done).last == 7)
  }

  @Test func `it counts what is carried out until its end`() throws {
    let queue = RequestQueue(workers: 1, most: 1)
    let (counts, isHeld) = (Monitor<[Int]>([]), Monitor(true))
    let job: @Sendable (Int) -> Void = { threads in
      let (waiting, running) = queue.counts
      counts.change { $0 += [waiting, running, threads] }
      isHeld.wait { $0 ? nil : () }
    }
    #expect(queue.add("a", job))
    #expect(queue.start {})
    #expect(try Self.numbers(3, of: counts) == [0, 1, 1])
    #expect(!queue.isFull)
    #expect(queue.add("a", job))
    #expect(queue.isFull)
    #expect(!queue.add("a", job))
    #expect(queue.counts == (1, 1))
    isHeld.change { $0 = false }
    #expect(try Self.numbers(6, of: counts)[3...] == [0, 1, 1])
  }
}
