// SPDX-License-Identifier: MIT

internal import Glibc
internal import Media
internal import Synchronization

/// Threads that do the same work: the caller's alone until there is enough to do for all.
final class Threads: Sendable {
  private let count: Int
  private let body: @Sendable (Threads) -> Void
  /// Those that were started; `nil` until then.
  private let others = Mutex<[Thread]?>(nil)

  /// - Parameter count: how many there are, the caller's among them.
  init(_ count: Int, _ body: @escaping @Sendable (Threads) -> Void) {
    self.count = count
    self.body = body
  }

  /// Runs the work on the calling thread, and returns when it has ended on all.
  func run() {
    body(self)
    for thread in others.withLock({ $0 ?? [] }) { thread.join() }
  }

  /// Starts the others, unless they are; fewer do the same work.
  func startAll() {
    others.withLock { others in
      guard others == nil else { return }
      var started: [Thread] = []
      while started.count < count - 1, let thread = Thread({ self.body(self) }) {
        started.append(thread)
      }
      others = started
    }
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
