// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import Stills

@Suite struct ThreadsTests {
  @Test(
    "it works on one thread until all are started, once",
    arguments: [
      (count: 3, starts: 0, runs: 1), (3, 1, 3), (3, 2, 3), (1, 1, 1), (0, 1, 1),
    ])
  func starts(count: Int, starts: Int, runs: Int) {
    let ran = Atomic(0)
    let threads = Threads(count) { threads in
      for _ in 0..<starts { threads.startAll() }
      ran.add(1, ordering: .relaxed)
    }
    threads.run()
    #expect(ran.load(ordering: .relaxed) == runs)
  }
}
