// SPDX-License-Identifier: MIT

import Glibc

/// What Ctrl-C and a request to terminate do: the first ends the run in order, the second ends it at once.
enum Interruption {
  /// Takes over both signals for the whole process; threads that are made later leave them to this one.
  static func watch(_ stop: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let body = unsafe Unmanaged.passRetained(Body(stop))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        Interruption.wait(body.stop)
      }, body.toOpaque())
    guard code == 0 else {
      // Without the thread the signals end the process, which leaves no output that is not whole either.
      unsafe body.release()
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      return
    }
    pthread_detach(thread)
  }

  private final class Body: Sendable {
    let stop: @Sendable () -> Void
    init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }
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
