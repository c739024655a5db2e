// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import ApusCommand

@Suite struct RequestScheduleTests {
  /// Processors, threads of others, requests that wait, and the threads of a request.
  static let shares = [
    (1, 0, 0, 1), (1, 0, 7, 1), (1, 1, 0, 1),
    (2, 0, 0, 2), (2, 0, 1, 1), (2, 0, 7, 1), (2, 1, 0, 1), (2, 2, 0, 1), (2, 1, 5, 1),
    (4, 0, 0, 4), (4, 0, 1, 2), (4, 0, 2, 2), (4, 0, 3, 1), (4, 1, 0, 3), (4, 1, 1, 2),
    (4, 2, 1, 1), (4, 3, 0, 1), (4, 4, 0, 1), (4, 7, 3, 1), (16, 3, 4, 3),
  ]

  @Test(arguments: shares)
  func `it divides the processors that nobody uses among those that wait`(
    processors: Int, taken: Int, waiting: Int, expected: Int
  ) {
    #expect(
      RequestSchedule.threads(processors: processors, taken: taken, waiting: waiting) == expected)
  }

  /// The numbers that requests for these paths were added with, in the order in which one worker begins them.
  private func order(_ paths: [String]) -> [Int] {
    var schedule = RequestSchedule(workers: 1)
    let begun = Mutex<[Int]>([])
    for (number, path) in paths.enumerated() {
      schedule.add(path) { _ in begun.withLock { $0.append(number) } }
    }
    while let start = schedule.next() {
      start.job(start.threads)
      schedule.ended(start.number)
    }
    return begun.withLock { $0 }
  }

  @Test func `it begins requests for a path in the order in which they came`() {
    #expect(order(["a", "a", "a"]) == [0, 1, 2])
  }

  @Test func `it lets paths take turns`() {
    #expect(order(["a", "a", "a", "b", "b", "c"]) == [0, 3, 5, 1, 4, 2])
  }

  @Test func `it gives a path no further turn for requests that come while others wait`() {
    var schedule = RequestSchedule(workers: 1)
    let begun = Mutex<[String]>([])
    func add(_ path: String) { schedule.add(path) { _ in begun.withLock { $0.append(path) } } }
    func work() {
      guard let start = schedule.next() else { return }
      start.job(start.threads)
      schedule.ended(start.number)
    }
    add("a")
    work()
    add("a")
    add("b")
    work()
    add("b")
    work()
    work()
    #expect(begun.withLock { $0 } == ["a", "b", "a", "b"])
  }

  @Test func `it counts what waits and what is carried out`() {
    var schedule = RequestSchedule(workers: 2)
    for _ in 0..<3 { schedule.add("a") { _ in } }
    let first = schedule.next()
    #expect(schedule.next()?.threads == 1)
    #expect((schedule.waiting, schedule.running) == (1, 2))
    if let first { schedule.ended(first.number) }
    #expect((schedule.waiting, schedule.running) == (1, 1))
  }
}
