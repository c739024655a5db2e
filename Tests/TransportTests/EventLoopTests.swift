// SPDX-License-Identifier: MIT

import ApusThreads
import Glibc
import Testing

@testable import ApusTransport

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

  @Test func `it keeps the order of many timers, with others cancelled`() {
    var timers = TimerHeap()
    var seen: [Int64] = []
    for time in (0..<Int64(1000)).shuffled() {
      let timer = timers.add(at: time) { seen.append(time) }
      if time % 3 == 0 { timers.cancel(timer) }
    }
    #expect(timers.nextTime() == 1)
    while let body = timers.takeDue(by: 899, before: timers.newest) { body() }
    #expect(seen == (0..<900).filter { $0 % 3 != 0 })
    #expect(timers.nextTime() == 901)
  }

  @Test func `it is woken by another thread`() throws {
    let loop = try EventLoop()
    let thread = try #require(
      Thread {
        for _ in 0..<100 { loop.perform {} }
        loop.perform { loop.stop() }
      })
    loop.run()
    thread.join()
  }

  @Test func `it reads what came while it stood still before it looks at the time`() throws {
    let clock = ManualClock()
    let loop = try EventLoop(clock: clock.clock)
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let (output, input) = (ends[1], ends[0])
    defer {
      close(output)
      close(input)
    }
    var seen: [String] = []
    loop.watch(input) {
      loop.unwatch(input)
      seen.append("bytes")
    }
    loop.after(1_000_000) {
      seen.append("time")
      loop.stop()
    }
    #expect(unsafe write(output, "x", 1) == 1)
    clock.advance(by: 20_000_000)
    loop.run()
    #expect(seen == ["bytes", "time"])
  }

  @Test func `it watches a pipe until that ends`() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let (output, input) = (ends[1], ends[0])
    var read: [UInt8] = []
    loop.watch(input) {
      var bytes = [UInt8](repeating: 0, count: 2)
      let count = unsafe Glibc.read(input, &bytes, 2)
      if count == 0 {
        loop.unwatch(input)
        loop.stop()
      }
      read += bytes[..<max(count, 0)]
    }
    let bytes: [UInt8] = [1, 2, 3]
    #expect(unsafe write(output, bytes, 3) == 3)
    loop.after(1_000_000) { close(output) }
    loop.run()
    #expect(read == [1, 2, 3])
    close(input)
  }

  @Test func `it watches a file, which epoll does not`() throws {
    let loop = try EventLoop()
    let file = unsafe open("/proc/self/exe", O_RDONLY)
    var count = 0
    loop.watch(file) {
      count += 1
      if count == 3 { loop.stop() }
    }
    loop.run()
    loop.unwatch(file)
    #expect(count == 3)
    close(file)
  }
}
