// SPDX-License-Identifier: MIT

import Threads

/// Requests that wait for a worker, and those that are being worked on.
final class ServeQueue: Sendable {
  private struct State: Sendable {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
    var isClosed = false
  }

  private let state = Monitor(State())
  let workers: Int
  private let most: Int

  /// - Parameter most: how many requests may wait.
  init(workers: Int, most: Int) {
    self.workers = workers
    self.most = most
  }

  /// Starts the threads. Returns whether there is one at least.
  ///
  /// - Parameter prepare: called by each of them before its first job.
  func start(_ prepare: @escaping @Sendable () -> Void) -> Bool {
    (0..<workers).reduce(false) { isStarted, _ in
      Thread.start { [self] in
        prepare()
        work()
      } || isStarted
    }
  }

  private func work() {
    while let job = next() {
      job()
      state.change { $0.running -= 1 }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    let job: (@Sendable () -> Void)?? = state.wait { state in
      if !state.waiting.isEmpty {
        state.running += 1
        return .some(state.waiting.removeFirst())
      }
      return state.isClosed ? .some(nil) : nil
    }
    return job ?? nil
  }

  var isFull: Bool { state.withLock { $0.waiting.count >= most } }
  var counts: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, $0.running) } }

  /// How many threads a job that begins now may use: all, where no other wants them.
  var share: Int {
    let (waiting, running) = counts
    return max(workers / max(waiting + running, 1), 1)
  }

  /// Returns whether there was room for a job.
  func add(_ job: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      guard state.waiting.count < most else { return false }
      state.waiting.append(job)
      return true
    }
  }

  /// Waits until there is room for a job.
  func addWhenFree(_ job: @escaping @Sendable () -> Void) {
    state.wait { $0.waiting.count < max(most, 1) ? () : nil }
    state.change { $0.waiting.append(job) }
  }

  /// Lets the threads end once nothing waits.
  func close() { state.change { $0.isClosed = true } }
}
