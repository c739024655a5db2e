// SPDX-License-Identifier: MIT

import Files
import Glibc
import Threads

/// The processes that work for a server. Each stays for many requests; one that has had as many as it may, that has grown
/// large or that a request has ended gives way to another.
final class ProcessPool: Sendable {
  private struct State: Sendable {
    var idle: [VerbProcess] = []
    /// How many bytes of each process were in memory after its last request.
    var resident: [pid_t: Int] = [:]
    var started = 0
    /// How many will be started, or are being started, to take the place of others.
    var coming = 0
    var hasStarter = false
  }

  private let limits: IsolationLimits
  private let most: Int
  private let state = Monitor(State())
  /// A process with more than this in memory between two requests gives way to another.
  private static let mostResident = 256 << 20

  /// - Parameter most: how many requests a process may carry out.
  init(_ limits: IsolationLimits, requestsEach most: Int) {
    self.limits = limits
    self.most = most
    // What ended a process is in the answer; a listing of its stack would only be in the way.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 0)
  }

  /// How many processes were started, how many there are, and how many bytes of them are in memory.
  var counts: (started: Int, processes: Int, resident: Int) {
    state.withLock { ($0.started, $0.resident.count, $0.resident.values.reduce(0, +)) }
  }

  /// Has a process carry out a verb, and waits until that is done.
  ///
  /// - Parameter client: the socket of the client that wants the answer.
  func carryOut(_ words: [String], _ files: [Int32], client: Int32) throws(FileError)
    -> VerbProcess.Outcome
  {
    // One that ended while it had nothing to do costs no request.
    while let process = idle() {
      let outcome = carryOut(words, files, client, by: process)
      if case .gone = outcome { continue }
      return outcome
    }
    return carryOut(words, files, client, by: try start())
  }

  /// A process that has nothing to do; `nil` where there is none, and none is coming.
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
    // By the time that this one is done, there is another.
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
      // Its end takes the system a while, which no answer waits for.
      _ = Thread.start { withExtendedLifetime(process) {} }
    }
    return outcome
  }

  /// Starts a process in place of another, while this thread goes on.
  private func replace() {
    let isWanted = state.change { state in
      if state.hasStarter { state.coming += 1 }
      return state.hasStarter
    }
    if !isWanted { prepare() }
  }

  /// Starts the thread that starts processes in place of others: a process ends with the thread that has started it.
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

  /// Starts a process that waits for a request. Where that fails, the request tells why.
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
