// SPDX-License-Identifier: MIT

import Glibc

/// Returns the seconds of a clock that only rises.
func monotonicSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
