// SPDX-License-Identifier: MIT

internal import Glibc

/// Returns the processor time of the calling thread, in seconds.
func threadSeconds() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

/// Returns a monotonic time, in seconds.
func clockSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
