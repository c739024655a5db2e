// SPDX-License-Identifier: MIT

import ApusThreads
import Testing

struct ThreadsTests {
  @Test
  func `a monitor hands a change to the thread that waits for it`() throws {
    let state = Monitor((asked: 0, answer: 0))
    let thread = try #require(
      Thread {
        state.wait { $0.asked > 0 ? () : nil }
        state.change { $0.answer = $0.asked * 2 }
      })
    state.change { $0.asked = 21 }
    let answer = state.wait { $0.answer > 0 ? $0.answer : nil }
    thread.join()
    #expect(answer == 42)
  }

  @Test
  func `one thread at a time changes what a monitor holds`() {
    let count = Monitor(0)
    let threads = (0..<4).compactMap { _ in
      Thread { for _ in 0..<10_000 { count.change { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(threads.count == 4)
    #expect(count.withLock { $0 } == 40_000)
  }

  @Test
  func `the caller does the parts of a piece of work for which nobody comes`() {
    let work = Parts(5)
    Nobody().finish(work)
    #expect(work.isDone)
  }
}

private final class Nobody: IdleWorkers {
  let count = 1
  func share(_ work: any SharedWork, while body: () -> Void) { body() }
}

private final class Parts: SharedWork {
  private let left: Monitor<Int>
  init(_ count: Int) { left = Monitor(count) }
  var isDone: Bool { left.withLock { $0 == 0 } }
  var isOpen: Bool { left.withLock { $0 > 0 } }

  func takePart() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}
