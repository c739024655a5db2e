// SPDX-License-Identifier: MIT

import ApusStills
import ApusThreads

/// Takes photos for other processes on a thread of its own: a list of names that is still being written keeps no
/// report waiting.
final class Intake: Sendable {
  private struct State: Sendable {
    var items: [BatchItem] = []
    var isExhausted = false
    var isStopping = false
  }

  private let state = Monitor(State())
  private let source: @Sendable () -> BatchItem?
  private let capacity: Int
  private let wake: WakePipe

  /// - Parameter capacity: how many photos are taken in before they are asked for.
  init(_ source: @escaping @Sendable () -> BatchItem?, capacity: Int, _ wake: WakePipe) {
    self.source = source
    self.capacity = capacity
    self.wake = wake
  }

  /// Returns whether it could be started.
  func start() -> Bool {
    Thread.start { [self] in
      while mayTake() {
        let item = source()
        state.change { state in
          if let item { state.items.append(item) } else { state.isExhausted = true }
        }
        wake.wake()
        if item == nil { return }
      }
    }
  }

  private func mayTake() -> Bool {
    state.wait { state in
      if state.isStopping { return false }
      return state.items.count < capacity ? true : nil
    }
  }

  /// A photo, if one was taken.
  func next() -> BatchItem? {
    state.change { $0.items.isEmpty ? nil : $0.items.removeFirst() }
  }

  /// Whether all were taken and handed on.
  var isExhausted: Bool { state.withLock { $0.isExhausted && $0.items.isEmpty } }

  func stop() { state.change { $0.isStopping = true } }
}
