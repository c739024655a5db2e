// SPDX-License-Identifier: MIT

internal import Glibc

/// Runs `body` on so many threads, the caller's among them, and returns when all have ended.
func runOnThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var threads: [pthread_t] = []
  for _ in 1..<max(count, 1) {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      // Fewer threads do the same work.
      unsafe argument.release()
      break
    }
    threads.append(thread)
  }
  body()
  for thread in threads { pthread_join(thread, nil) }
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
