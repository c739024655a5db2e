// SPDX-License-Identifier: MIT

import ApusFiles
import ApusThreads
import Glibc
import Synchronization

/// Handles Ctrl-C and SIGTERM: the first signal ends the run in an orderly way, the second ends it at once.
enum Interruption {
  private struct State {
    /// Called at the first signal.
    var stop: (@Sendable () -> Void)?
    /// Called at each SIGHUP.
    var reload: (@Sendable () -> Void)?
    var isReceived = false
    var isWatched = false
  }

  private static let state = Mutex(State())
  /// The first signal received.
  private static let first = Atomic<Int32>(0)

  /// Whether the signal was SIGTERM, as sent by a supervisor, rather than Ctrl-C.
  static var isTermination: Bool { first.load(ordering: .sequentiallyConsistent) == SIGTERM }

  /// The exit status of an interrupted job.
  static var status: ExitStatus { isTermination ? .terminated : .interrupted }

  /// Whether a signal has asked the current job to end.
  static var isReceived: Bool { state.withLock(\.isReceived) }

  /// Handles the signals of the whole process; threads started later block them. If a process runs several jobs one after
  /// the other, or a job has got further, the last call sets the actions.
  ///
  /// - Parameters:
  ///   - endsPipes: whether the first signal also ends every wait for a pipe.
  ///   - onHangup: called whenever SIGHUP asks a server to reload its settings; without it in the first call, that signal
  ///     ends the process.
  static func watch(
    endsPipes: Bool = true, onHangup: (@Sendable () -> Void)? = nil,
    _ stop: @escaping @Sendable () -> Void
  ) {
    let isFirst = state.withLock { state in
      (state.stop, state.reload, state.isReceived) = (stop, onHangup, false)
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
    let isWatched = Thread.start { [signals] in wait(for: signals, endsPipes) }
    guard !isWatched else { return }
    // Without the thread the signals end the process, which leaves no output that is not whole either.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Forgets the job that a signal would stop, because it is finished.
  static func forget() { state.withLock { $0.stop = nil } }

  private static func wait(for signals: sigset_t, _ endsPipes: Bool) -> Never {
    var signals = signals
    var isFirst = true
    while true {
      var signal: Int32 = 0
      guard unsafe sigwait(&signals, &signal) == 0 else { continue }
      if signal == SIGHUP {
        state.withLock(\.reload)?()
        continue
      }
      if isFirst { first.store(signal, ordering: .sequentiallyConsistent) }
      if !isFirst { _exit(status.rawValue) }
      isFirst = false
      let stop = state.withLock { state in
        state.isReceived = true
        return state.stop
      }
      stop?()
      if endsPipes { PipeStop.shared.stop() }
    }
  }
}
