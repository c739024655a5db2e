// SPDX-License-Identifier: MIT

import Threads

/// Requests that wait for a worker, and those that are being worked on. No more wait than can be answered within a bounded
/// time, so that those that are answered are answered soon, however many ask.
final class ServeQueue: Sendable {
  /// Works on a request. Returns whether that took as long as such requests take; work that was broken off does not.
  typealias Job = @Sendable () -> Bool

  /// A request that waits.
  private struct Entry: Sendable {
    var kind: String
    /// How many seconds of work it is expected to need.
    var seconds: Double
    var job: Job
  }

  /// A request that is being worked on.
  private struct Work: Sendable {
    var begun: ContinuousClock.Instant
    var seconds: Double
  }

  private struct State: Sendable {
    var waiting: [Entry] = []
    var running: [Int: Work] = [:]
    var lastNumber = 0
    var times = ServeTimes()
    var isClosed = false

    /// How many seconds a further request waits until a worker is free.
    func wait(_ workers: Int) -> Double {
      guard waiting.count + running.count >= workers else { return 0 }
      let now = ContinuousClock.now
      let left = running.values.reduce(0) { $0 + max($1.seconds - (now - $1.begun).inSeconds, 0) }
      return waiting.reduce(left) { $0 + $1.seconds } / Double(workers)
    }
  }

  private let state = Monitor(State())
  let workers: Int
  private let most: Int
  private let mostSeconds: Double

  /// - Parameters:
  ///   - most: how many requests may wait.
  ///   - mostSeconds: how long a request may be expected to wait.
  init(workers: Int, most: Int, mostSeconds: Double) {
    self.workers = workers
    self.most = most
    self.mostSeconds = mostSeconds
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
    while let (number, entry) = next() {
      let begun = ContinuousClock.now
      let isTypical = entry.job()
      let seconds = (ContinuousClock.now - begun).inSeconds
      state.change { state in
        state.running[number] = nil
        if isTypical { state.times.add(seconds, entry.kind) }
      }
    }
  }

  private func next() -> (Int, Entry)? {
    let found: (Int, Entry)?? = state.wait { state in
      if !state.waiting.isEmpty {
        let entry = state.waiting.removeFirst()
        state.lastNumber += 1
        state.running[state.lastNumber] = Work(begun: .now, seconds: entry.seconds)
        return .some((state.lastNumber, entry))
      }
      return state.isClosed ? .some(nil) : nil
    }
    return found ?? nil
  }

  var counts: (waiting: Int, running: Int) {
    state.withLock { ($0.waiting.count, $0.running.count) }
  }

  /// How many seconds a request that comes now is expected to wait.
  var expectedWait: Double { state.withLock { $0.wait(workers) } }

  /// After how many seconds there may be room for a further request; `nil` where there is room.
  var secondsUntilRoom: Int? { state.withLock { secondsUntilRoom($0) } }

  private func secondsUntilRoom(_ state: State) -> Int? {
    let wait = state.wait(workers)
    let isFull = state.waiting.count + state.running.count >= workers + most
    guard isFull || wait > mostSeconds else { return nil }
    return Int(min(max((wait - mostSeconds).rounded(.up), 1), Self.longestRefusal))
  }

  /// No client is asked to stay away for longer, as what is expected may be wrong.
  private static let longestRefusal = 60.0

  /// How many threads a job that begins now may use: all, where no other wants them.
  var share: Int {
    let (waiting, running) = counts
    return max(workers / max(waiting + running, 1), 1)
  }

  /// Adds a job where there is room for it.
  ///
  /// - Parameter kind: what takes about as long.
  /// - Returns: where there is none, after how many seconds there may be.
  func add(_ kind: String, _ job: @escaping Job) -> Int? {
    state.change { state in
      if let seconds = secondsUntilRoom(state) { return seconds }
      let expected = state.times.expected(kind)
      state.waiting.append(Entry(kind: kind, seconds: expected, job: job))
      return nil
    }
  }

  /// Waits until there is room for a job.
  func addWhenFree(_ kind: String, _ job: @escaping Job) {
    state.wait { $0.waiting.count < max(most, 1) ? () : nil }
    state.change { state in
      let expected = state.times.expected(kind)
      state.waiting.append(Entry(kind: kind, seconds: expected, job: job))
    }
  }

  /// Lets the threads end once nothing waits.
  func close() { state.change { $0.isClosed = true } }
}
