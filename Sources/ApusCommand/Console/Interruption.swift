// SPDX-License-Identifier: MIT

import Files
import Glibc
import Synchronization
import Threads

/// What Ctrl-C and a request to terminate do: the first ends the run in order, the second ends it at once.
enum Interruption {
  private struct State {
    /// Called at the first signal.
    var stop: (@Sendable () -> Void)?
    var isWatched = false
  }

  private static let state = Mutex(State())
  /// The first signal that came.
  private static let first = Atomic<Int32>(0)

  /// Whether the run was asked to terminate, as a supervisor asks, and not by Ctrl-C.
  static var isTermination: Bool { first.load(ordering: .sequentiallyConsistent) == SIGTERM }

  /// How a job that was not finished ends.
  static var status: ExitStatus { isTermination ? .terminated : .interrupted }

  /// Takes over the signals for the whole process; threads that are made later leave them to this one. Of several calls,
  /// as a process makes that carries out one job after the other, the last one says what the first signal stops.
  ///
  /// - Parameters:
  ///   - endsPipes: whether the first signal also ends every wait for a pipe.
  ///   - onHangup: called whenever SIGHUP asks a server to read its settings anew; without it that signal ends the process.
  static func watch(
    endsPipes: Bool = true, onHangup: (@Sendable () -> Void)? = nil,
    _ stop: @escaping @Sendable () -> Void
  ) {
    let isFirst = state.withLock { state in
      state.stop = stop
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    if onHangup != nil { unsafe sigaddset(&signals, SIGHUP) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    if endsPipes { PipeStop.shared.arm() }
    let isWatched = Thread.start { [signals] in wait(for: signals, endsPipes, onHangup) }
    guard !isWatched else { return }
    // Without the thread the signals end the process, which leaves no output that is not whole either.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Lets go of what a signal would stop, for that job is done.
  static func forget() { state.withLock { $0.stop = nil } }

  private static func wait(
    for signals: sigset_t, _ endsPipes: Bool, _ onHangup: (() -> Void)?
  ) -> Never {
    var signals = signals
    var isFirst = true
    while true {
      var signal: Int32 = 0
      guard unsafe sigwait(&signals, &signal) == 0 else { continue }
      if signal == SIGHUP {
        onHangup?()
        continue
      }
      if isFirst { first.store(signal, ordering: .sequentiallyConsistent) }
      if !isFirst { _exit(status.rawValue) }
      isFirst = false
      state.withLock(\.stop)?()
      if endsPipes { PipeStop.shared.stop() }
    }
  }
}
