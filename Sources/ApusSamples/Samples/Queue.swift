// SPDX-License-Identifier: MIT

/// A first-in, first-out queue. An element that was removed is released at once.
package struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  package init() {}

  package init(_ elements: [Element]) { self.elements = elements }

  package var count: Int { elements.count - head }
  package var isEmpty: Bool { head == elements.count }
  package var first: Element? { isEmpty ? nil : elements[head] }
  /// All elements in the queue, in order.
  package var all: [Element] { elements[head...].compactMap(\.self) }

  package mutating func append(_ element: Element) { elements.append(element) }

  package mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if isEmpty || (head > 64 && head * 2 > elements.count) {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}
