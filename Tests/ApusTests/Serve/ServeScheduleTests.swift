// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

@Suite struct ServeScheduleTests {
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
      ServeSchedule.threads(processors: processors, taken: taken, waiting: waiting) == expected)
  }

  private static let long = ServeKind("thumbnail", [("size", "1024")], bytes: 1 << 20)
  private static let small = ServeKind("thumbnail", [("size", "320")], bytes: 1 << 20)
  private let start = ContinuousClock.now

  /// A schedule that knows that long requests take half a second and short ones 10 ms.
  private func schedule(_ workers: Int) -> ServeSchedule {
    var schedule = ServeSchedule(workers: workers)
    for (kind, seconds) in [(Self.long, 0.5), (Self.small, 0.01)] {
      schedule.add(kind, at: start) { _ in true }
      guard let begun = schedule.next(.any, at: start) else { continue }
      schedule.ended(begun.number, isTypical: true, at: start + .seconds(seconds))
    }
    return schedule
  }

  /// The numbers that the next requests were added with, in the order in which workers begin them.
  private func order(_ added: [(kind: ServeKind, came: Double)]) -> [Int] {
    var schedule = schedule(1)
    let last = ServeOrder()
    for (number, entry) in added.enumerated() {
      schedule.add(entry.kind, at: start + .seconds(entry.came)) { _ in
        last.number = number
        return true
      }
    }
    return added.compactMap { _ in
      guard let begun = schedule.next(.any, at: start) else { return nil }
      _ = begun.job(begun.threads)
      schedule.ended(begun.number, isTypical: false, at: start)
      return last.number
    }
  }

  @Test func `it begins requests of a kind in the order in which they came`() {
    #expect(order([(Self.long, 0), (Self.long, 0.001), (Self.long, 0.002)]) == [0, 1, 2])
    #expect(order([(Self.small, 0), (Self.small, 0), (Self.small, 0)]) == [0, 1, 2])
  }

  @Test func `it lets short requests overtake long ones that came a while before, and no longer`() {
    let added = [(Self.long, 0.0), (Self.long, 0.1), (Self.small, 1.9), (Self.small, 2.05)]
    #expect(order(added) == [2, 0, 3, 1])
  }

  @Test func `it remembers how long a kind takes, and takes others of the route for alike`() {
    var schedule = schedule(1)
    schedule.add(Self.long, at: start) { _ in true }
    #expect(abs(schedule.wait(at: start) - 0.5) < 1e-9)
    _ = schedule.next(.any, at: start)
    #expect(abs(schedule.wait(at: start + .seconds(0.125)) - 0.375) < 1e-9)
    schedule.add(ServeKind("thumbnail", [("size", "77")], bytes: 1), at: start) { _ in true }
    // 0.5 s, and then 10 ms with a fifth of the weight.
    #expect(abs(schedule.wait(at: start + .seconds(1)) - 0.402) < 1e-9)
    schedule.add(ServeKind("convert", [], bytes: 1), at: start) { _ in true }
    #expect(abs(schedule.wait(at: start + .seconds(1)) - 0.652) < 1e-9)
  }

  @Test func `it works on short requests beside long ones when these have all workers`() {
    var schedule = schedule(2)
    func add(_ kind: ServeKind) { schedule.add(kind, at: start) { _ in true } }
    add(Self.long)
    #expect(schedule.next(.any, at: start)?.threads == 2)
    add(Self.small)
    // There is a worker for it.
    #expect(schedule.next(.short, at: start) == nil)
    #expect(schedule.next(.any, at: start)?.threads == 1)
    add(Self.small)
    // A worker has a short one, which is done soon.
    #expect(schedule.next(.short, at: start) == nil)
    schedule.ended(4, isTypical: false, at: start)
    add(Self.long)
    add(Self.long)
    #expect(schedule.next(.any, at: start) != nil)
    schedule.ended(5, isTypical: false, at: start)
    #expect(schedule.next(.any, at: start)?.threads == 1)
    add(Self.small)
    #expect(schedule.next(.short, at: start)?.threads == 1)
    #expect(schedule.running == 3 && schedule.busy == 2 && schedule.waiting == 1)
  }

  @Test func `it has no long request worked on beside the workers`() {
    var schedule = schedule(1)
    for kind in [Self.long, Self.long, Self.small, Self.small] {
      schedule.add(kind, at: start) { _ in true }
    }
    let first = schedule.next(.any, at: start)
    // A short one was due first.
    #expect(first?.threads == 1)
    #expect(schedule.next(.short, at: start) == nil)
    if let first { schedule.ended(first.number, isTypical: false, at: start) }
    guard let second = schedule.next(.any, at: start) else { return }
    schedule.ended(second.number, isTypical: false, at: start)
    #expect(schedule.next(.any, at: start) != nil)
    #expect(schedule.next(.short, at: start) == nil)
    schedule.add(Self.small, at: start) { _ in true }
    #expect(schedule.next(.short, at: start)?.threads == 1)
    #expect(schedule.running == 2 && schedule.busy == 1 && schedule.waiting == 1)
  }

  @Test func `it does not count short requests among those that want processors`() {
    var schedule = schedule(4)
    schedule.add(Self.small, at: start) { _ in true }
    #expect(schedule.next(.any, at: start)?.threads == 4)
    schedule.add(Self.long, at: start) { _ in true }
    #expect(schedule.next(.any, at: start)?.threads == 4)
  }
}

/// What was begun last.
private final class ServeOrder: @unchecked Sendable {
  // One thread uses it.
  var number = -1
}
