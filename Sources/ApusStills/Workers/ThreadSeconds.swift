// SPDX-License-Identifier: MIT

internal import Glibc

/// Processor time of the calling thread, in seconds.
func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
