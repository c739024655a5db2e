// SPDX-License-Identifier: MIT

import ApusFiles
import ApusThreads
import Glibc

/// The worker processes of a server. Each carries out many requests; one that has reached their maximum number, that
/// has grown large, or that was ended by a request is replaced.
final class ProcessPool: Sendable {
  private struct State: Sendable {
    var idle: [VerbProcess] = []
    /// The resident memory of each process after its last request, in bytes.
    var resident: [pid_t: Int] = [:]
    var started = 0
    /// The number of replacements that will be or are being started.
    var coming = 0
    var hasStarter = false
  }

  private let limits: IsolationLimits
  private let most: Int
  private let state = Monitor(State())
  /// The resident memory in bytes between two requests above which a process is replaced.
  private static let mostResident = 256 << 20
  /// The number of idle processes that may have ended before a request fails, since their replacements may end as well.
  private static let mostGone = 256

  /// - Parameter most: the number of requests after which a process is replaced.
  init(_ limits: IsolationLimits, requestsEach most: Int) {
    self.limits = limits
    self.most = most
    // The reason why a process ended is in the answer; a stack trace would only be in the way.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 0)
  }

  /// The number of processes started, their current number, and their resident memory in bytes.
  var counts: (started: Int, processes: Int, resident: Int) {
    state.withLock { ($0.started, $0.resident.count, $0.resident.values.reduce(0, +)) }
  }

  /// Runs a verb in a process, and waits for the end.
  ///
  /// - Parameter client: the socket of the client that waits for the answer.
  func carryOut(_ words: [String], _ files: [Int32], client: Int32) throws(FileError)
    -> VerbProcess.Outcome
  {
    // If an idle process has ended, the request is passed to another.
    for _ in 0..<Self.mostGone {
      guard let process = idle() else { break }
      let outcome = carryOut(words, files, client, by: process)
      if case .gone = outcome { continue }
      return outcome
    }
    return carryOut(words, files, client, by: try start())
  }

  /// Returns an idle process; `nil` if there is none, and none is being started.
  private func idle() -> VerbProcess? {
    let found: VerbProcess?? = state.wait { state in
      if let process = state.idle.popLast() { return .some(process) }
      return state.coming > 0 ? nil : .some(nil)
    }
    return found ?? nil
  }

  private func carryOut(
    _ words: [String], _ files: [Int32], _ client: Int32, by process: VerbProcess
  ) -> VerbProcess.Outcome {
    let isLast = process.requests + 1 >= most
    // The replacement will be ready when this one is done.
    if isLast { replace() }
    let outcome = process.carryOut(words, files, client: client)
    let isWell =
      switch outcome {
      case .done, .unwritten: true
      case .ended, .late, .abandoned, .gone: false
      }
    if isWell, !isLast, process.resident < Self.mostResident {
      state.change { state in
        state.resident[process.process] = process.resident
        state.idle.append(process)
      }
    } else {
      state.withLock { $0.resident[process.process] = nil }
      if !isLast { replace() }
      // Ending it takes the system a while, for which the answer does not wait.
      _ = Thread.start { withExtendedLifetime(process) {} }
    }
    return outcome
  }

  /// Starts a replacement for a process, without blocking this thread if possible.
  private func replace() {
    let isWanted = state.change { state in
      if state.hasStarter { state.coming += 1 }
      return state.hasStarter
    }
    if !isWanted { prepare() }
  }

  /// Starts the thread that starts replacements: a process ends with the thread that has started it.
  func begin() {
    let isStarted = Thread.start { [self] in
      while true {
        state.wait { $0.coming > 0 ? () : nil }
        prepare()
        state.change { $0.coming -= 1 }
      }
    }
    state.withLock { $0.hasStarter = isStarted }
  }

  /// Starts a process that waits for a request. If that fails, the next request reports the error.
  func prepare() {
    do throws(FileError) {
      let process = try start()
      state.change { $0.idle.append(process) }
    } catch {}
  }

  private func start() throws(FileError) -> VerbProcess {
    let process = try VerbProcess(limits)
    state.withLock { state in
      state.started += 1
      state.resident[process.process] = 0
    }
    return process
  }
}
