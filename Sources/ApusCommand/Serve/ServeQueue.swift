// SPDX-License-Identifier: MIT

import Threads

/// Requests that wait for a worker, and those that are being worked on. No more wait than can be answered within a bounded
/// time, so that those that are answered are answered soon, however many ask.
final class ServeQueue: Sendable {
  private struct State: Sendable {
    var schedule: ServeSchedule
    var isClosed = false
  }

  private let state: Monitor<State>
  let workers: Int
  private let most: Int
  private let mostSeconds: Double

  /// - Parameters:
  ///   - most: how many requests may wait.
  ///   - mostSeconds: how long a request may be expected to wait.
  init(workers: Int, most: Int, mostSeconds: Double) {
    state = Monitor(State(schedule: ServeSchedule(workers: workers)))
    self.workers = workers
    self.most = most
    self.mostSeconds = mostSeconds
  }

  /// Starts the threads. Returns whether there is a worker at least.
  ///
  /// - Parameter prepare: called by each of them before its first job.
  func start(_ prepare: @escaping @Sendable () -> Void) -> Bool {
    let isStarted = (0..<workers).reduce(false) { isStarted, _ in
      Thread.start { [self] in
        prepare()
        work(.any)
      } || isStarted
    }
    // Where this one is missing short requests wait as others do.
    _ = Thread.start { [self] in work(.short) }
    return isStarted
  }

  private func work(_ lane: ServeSchedule.Lane) {
    while let start = next(lane) {
      let isTypical = start.job(start.threads)
      state.change { $0.schedule.ended(start.number, isTypical: isTypical, at: .now) }
    }
  }

  private func next(_ lane: ServeSchedule.Lane) -> ServeSchedule.Start? {
    let found: ServeSchedule.Start?? = state.wait { state in
      if let start = state.schedule.next(lane, at: .now) { return .some(start) }
      return state.isClosed ? .some(nil) : nil
    }
    return found ?? nil
  }

  var counts: (waiting: Int, running: Int) {
    state.withLock { ($0.schedule.waiting, $0.schedule.running) }
  }

  /// How many seconds a request that comes now is expected to wait.
  var expectedWait: Double { state.withLock { $0.schedule.wait(at: .now) } }

  /// How many seconds it takes until there may be room for a further request; `nil` where there is room.
  var secondsUntilRoom: Int? { state.withLock { secondsUntilRoom($0.schedule) } }

  private func secondsUntilRoom(_ schedule: ServeSchedule) -> Int? {
    let wait = schedule.wait(at: .now)
    let isFull = schedule.waiting + schedule.busy >= workers + most
    guard isFull || wait > mostSeconds else { return nil }
    return Int(min(max((wait - mostSeconds).rounded(.up), 1), Self.longestRefusal))
  }

  /// No client is asked to stay away for longer, as what is expected may be wrong.
  private static let longestRefusal = 60.0

  /// Adds a job where there is room for it.
  ///
  /// - Returns: where there is none, after how many seconds there may be.
  func add(
    _ kind: ServeKind, since came: ContinuousClock.Instant, _ job: @escaping ServeSchedule.Job
  ) -> Int? {
    state.change { state in
      if let seconds = secondsUntilRoom(state.schedule) { return seconds }
      state.schedule.add(kind, at: came, job)
      return nil
    }
  }

  /// Waits until there is room for a job.
  func addWhenFree(_ kind: ServeKind, _ job: @escaping ServeSchedule.Job) {
    state.wait { $0.schedule.waiting < max(most, 1) ? () : nil }
    state.change { $0.schedule.add(kind, at: .now, job) }
  }

  /// Lets the threads end once nothing waits.
  func close() { state.change { $0.isClosed = true } }
}
