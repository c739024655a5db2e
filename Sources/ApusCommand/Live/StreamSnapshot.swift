// SPDX-License-Identifier: MIT

import Live

/// What is known of a stream at a moment.
struct StreamSnapshot {
  /// Nanoseconds.
  var now: Int64
  var statistics: PublishStatistics
  var bytesSent: Int
  /// Microseconds.
  var roundTrip: Int64?
}
