// SPDX-License-Identifier: MIT

import ApusLive

/// The state of `receive` or `stream` for monitoring.
struct LiveSnapshot {
  /// A server to which the stream is sent.
  struct Target {
    /// The stream that it receives, if there are several.
    var stream: String?
    var name: String
    var state: BroadcastState
  }

  /// The time at which the process began its work, in seconds since 1970.
  var began: Int64 = 0
  /// Whether it is doing its work.
  var isHealthy = true
  /// The number of connected clients; `nil` for a publisher, which has none.
  var connections: Int?
  /// The number of streams since the beginning, and their bytes.
  var totals = (streams: 0, bytes: 0)
  var streams: [IngestState] = []
  var targets: [Target] = []
}
