// SPDX-License-Identifier: MIT

internal import ApusSamples
internal import ApusThreads

/// An element of a bounded queue.
protocol QueueElement: Sendable {
  /// The number of bytes that count towards the limit of the queue.
  var bytes: Int { get }
}

/// Elements on their way from one thread to another, with a limit on their bytes and their number. One element always has
/// room, whatever its size.
final class BoundedQueue<Element: QueueElement>: Sendable {
  private struct State {
    var elements = Queue<Element>()
    var bytes = 0
    var isCancelled = false
    /// Called when the next element has been added.
    var onAvailable: (@Sendable () -> Void)?
    /// Called once half of the room is free again.
    var onRoom: (@Sendable () -> Void)?

    mutating func append(_ element: Element) {
      elements.append(element)
      bytes += element.bytes
    }
  }

  private let state = Monitor(State())
  private let capacity: Int
  /// The maximum number of elements, whatever their size.
  private let most: Int

  /// - Parameters:
  ///   - capacity: the number of bytes that may wait.
  ///   - most: the number of elements that may wait.
  init(capacity: Int, most: Int) { (self.capacity, self.most) = (capacity, most) }

  /// Adds an element, waiting until there is room. Returns whether more is wanted.
  @discardableResult func put(_ element: Element) -> Bool {
    let (isWanted, onAvailable) = state.wait { state -> (Bool, (() -> Void)?)? in
      if state.isCancelled { return (false, nil) }
      guard
        state.elements.isEmpty
          || (state.elements.count < most && state.bytes + element.bytes <= capacity)
      else { return nil }
      state.append(element)
      defer { state.onAvailable = nil }
      return (true, state.onAvailable)
    }
    wakeOthers()
    onAvailable?()
    return isWanted
  }

  /// Adds an element without waiting, for a thread that has other work.
  ///
  /// - Parameter onRoom: called by the thread that takes elements, once there is room again. The caller adds nothing until
  ///   then.
  /// - Returns: whether there is room for another.
  func add(_ element: Element, onRoom: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      state.append(element)
      let isFull = state.bytes >= capacity || state.elements.count >= most
      if isFull { state.onRoom = onRoom }
      return !isFull
    }
  }

  /// Removes and returns the next element. Waits for it until a time of `MonotonicTime`, and then returns `nil`.
  func next(until time: Int64 = .max) -> Element? {
    let taken = state.wait(until: time) { state -> (Element, (() -> Void)?)? in
      guard let element = state.elements.removeFirst() else { return nil }
      state.bytes -= element.bytes
      guard state.bytes <= capacity / 2, state.elements.count <= most / 2 else {
        return (element, nil)
      }
      defer { state.onRoom = nil }
      return (element, state.onRoom)
    }
    if taken != nil { wakeOthers() }
    taken?.1?()
    return taken?.0
  }

  /// Removes and returns all elements without waiting.
  ///
  /// - Parameter onAvailable: called by the thread that adds the next element, if there are none now.
  func takeAll(onAvailable: @escaping @Sendable () -> Void) -> Queue<Element> {
    state.change { state in
      defer { (state.elements, state.bytes) = (Queue(), 0) }
      if state.elements.isEmpty { state.onAvailable = onAvailable }
      return state.elements
    }
  }

  /// Ends the taking of elements; a thread that waits in `put` returns.
  func cancel() {
    state.change { state in
      state.isCancelled = true
      (state.elements, state.bytes, state.onAvailable) = (Queue(), 0, nil)
    }
  }

  private func wakeOthers() { state.change { _ in } }
}
