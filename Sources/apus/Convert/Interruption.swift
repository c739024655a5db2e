// SPDX-License-Identifier: MIT

import Glibc
import Media

/// What Ctrl-C and a request to terminate do: the first ends the run in order, the second ends it at once.
enum Interruption {
  /// Takes over both signals for the whole process; threads that are made later leave them to this one.
  static func watch(_ stop: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard !Thread.start({ wait(stop) }) else { return }
    // Without the thread the signals end the process, which leaves no output that is not whole either.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func wait(_ stop: () -> Void) -> Never {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    var isFirst = true
    while true {
      var signal: Int32 = 0
      guard unsafe sigwait(&signals, &signal) == 0 else { continue }
      if !isFirst { _exit(ExitStatus.interrupted.rawValue) }
      isFirst = false
      stop()
    }
  }
}
