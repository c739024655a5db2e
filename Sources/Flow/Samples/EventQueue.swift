// SPDX-License-Identifier: MIT

/// Events that wait, first come first served.
package struct EventQueue: Sendable {
  private var events: [SourceEvent] = []
  private var head = 0

  package init() {}

  var isEmpty: Bool { head == events.count }
  package var first: SourceEvent? { isEmpty ? nil : events[head] }

  package mutating func append(_ event: SourceEvent) { events.append(event) }

  package mutating func removeFirst() -> SourceEvent? {
    guard let event = first else { return nil }
    head += 1
    if head > 64, head * 2 > events.count {
      events.removeFirst(head)
      head = 0
    }
    return event
  }
}
