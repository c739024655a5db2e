// SPDX-License-Identifier: MIT

import Glibc

/// Returns the seconds of a monotonic clock.
func monotonicSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
