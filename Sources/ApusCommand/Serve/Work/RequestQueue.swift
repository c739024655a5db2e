// SPDX-License-Identifier: MIT

import ApusThreads

/// The requests that wait for a worker, and those being carried out. The number of waiting requests is limited, so that
/// accepted ones are answered soon, whatever the load.
final class RequestQueue: Sendable {
  private let state: Monitor<RequestSchedule>
  let workers: Int
  private let most: Int

  /// - Parameter most: the number of requests that may wait.
  init(workers: Int, most: Int) {
    state = Monitor(RequestSchedule(workers: workers))
    self.workers = workers
    self.most = most
  }

  /// Starts the threads. Returns whether at least one was started.
  ///
  /// - Parameter prepare: called by each of them before its first job.
  func start(_ prepare: @escaping @Sendable () -> Void) -> Bool {
    (0..<workers).reduce(false) { isStarted, _ in
      Thread.start { [state] in
        prepare()
        while true {
          let start = state.wait { $0.next() }
          start.job(start.threads)
          state.change { $0.ended(start.number) }
        }
      } || isStarted
    }
  }

  var counts: (waiting: Int, running: Int) { state.withLock { ($0.waiting, $0.running) } }

  /// Whether no further request may wait.
  var isFull: Bool { state.withLock { isFull($0) } }

  private func isFull(_ schedule: RequestSchedule) -> Bool {
    schedule.waiting + schedule.running >= workers + most
  }

  /// Adds a request, and returns whether there was room for it.
  func add(_ path: String, _ job: @escaping RequestSchedule.Job) -> Bool {
    state.change { schedule in
      guard !isFull(schedule) else { return false }
      schedule.add(path, job)
      return true
    }
  }
}
