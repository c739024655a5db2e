// SPDX-License-Identifier: MIT

/// Identifies a timer of a loop.
package struct TimerID: Hashable, Sendable {
  let number: UInt64
}

/// Timers by the time at which they are due; those due at the same time keep their order.
struct TimerHeap {
  private struct Entry {
    var time: Int64
    var number: UInt64

    func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  private var heap: [Entry] = []
  /// The bodies of pending timers. An entry without a body was cancelled.
  private var bodies: [UInt64: () -> Void] = [:]
  private var last: UInt64 = 0

  mutating func add(at time: Int64, _ body: @escaping () -> Void) -> TimerID {
    last += 1
    bodies[last] = body
    push(Entry(time: time, number: last))
    return TimerID(number: last)
  }

  mutating func cancel(_ id: TimerID) {
    bodies[id.number] = nil
    // Deadlines are set and cancelled constantly, and most are far ahead.
    if heap.count > 2 * bodies.count + 64 { sweep() }
  }

  /// Returns the time at which the next timer is due.
  mutating func nextTime() -> Int64? {
    while let first = heap.first {
      if bodies[first.number] != nil { return first.time }
      pop()
    }
    return nil
  }

  /// Removes and returns one timer that is due by `time`, of those that were set before `limit`.
  mutating func takeDue(by time: Int64, before limit: UInt64) -> (() -> Void)? {
    guard let next = nextTime(), next <= time, heap[0].number <= limit else { return nil }
    let number = heap[0].number
    pop()
    return bodies.removeValue(forKey: number)
  }

  /// The number of the timer that was set last.
  var newest: UInt64 { last }

  private mutating func sweep() {
    let kept = heap.filter { bodies[$0.number] != nil }
    heap.removeAll(keepingCapacity: true)
    for entry in kept { push(entry) }
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var index = heap.count - 1
    while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].isBefore(heap[least]) { least = child }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
