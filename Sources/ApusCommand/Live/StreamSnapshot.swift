// SPDX-License-Identifier: MIT

import Live

/// The state of a stream at one moment.
struct StreamSnapshot {
  /// Nanoseconds.
  var now: Int64
  var statistics: PublishStatistics
  var bytesSent: Int
  /// Microseconds.
  var roundTrip: Int64?
}
