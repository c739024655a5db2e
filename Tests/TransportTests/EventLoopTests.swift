// SPDX-License-Identifier: MIT

import Testing
import Transport

@Suite struct EventLoopTests {
  @Test func `it calls timers in the order in which they are due`() throws {
    let loop = try EventLoop()
    var seen: [Int] = []
    loop.after(3_000_000) { seen.append(3) }
    loop.after(1_000_000) { seen.append(1) }
    let cancelled = loop.after(2_000_000) { seen.append(2) }
    loop.cancel(cancelled)
    loop.after(5_000_000) { loop.stop() }
    loop.run()
    #expect(seen == [1, 3])
  }
}
