// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// Threads that do the same work: the caller's alone until there is enough to do for all.
final class Threads: Sendable {
  private let count: Int
  private let body: @Sendable (Threads) -> Void
  /// Those that were started; `nil` until then.
  private let others = Mutex<[pthread_t]?>(nil)

  /// - Parameter count: how many there are, the caller's among them.
  init(_ count: Int, _ body: @escaping @Sendable (Threads) -> Void) {
    self.count = count
    self.body = body
  }

  /// Runs the work on the calling thread, and returns when it has ended on all.
  func run() {
    body(self)
    for thread in others.withLock({ $0 ?? [] }) { pthread_join(thread, nil) }
  }

  /// Starts the others, unless they are; fewer do the same work.
  func startAll() {
    others.withLock { others in
      guard others == nil else { return }
      var started: [pthread_t] = []
      while started.count < count - 1, let thread = startOne() { started.append(thread) }
      others = started
    }
  }

  private func startOne() -> pthread_t? {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let threads = unsafe Unmanaged<Threads>.fromOpaque(argument).takeRetainedValue()
        threads.body(threads)
        return nil
      }, argument.toOpaque())
    if code != 0 { unsafe argument.release() }
    return code == 0 ? thread : nil
  }
}

/// Processor time of the calling thread, in seconds.
func threadSeconds() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

/// Time that only rises, in seconds.
func clockSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
