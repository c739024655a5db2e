// SPDX-License-Identifier: MIT

import Live

/// What `receive` or `stream` lets others know of itself.
struct LiveSnapshot {
  /// A server that the stream goes to.
  struct Target {
    /// The stream that it gets, of several.
    var stream: String?
    var name: String
    var state: BroadcastState
  }

  /// When the process began its work, in seconds since 1970.
  var began: Int64 = 0
  /// Whether it does what it is there for.
  var isHealthy = true
  /// Clients that are connected; `nil` for a publisher, which has none.
  var connections: Int?
  /// Streams that came since the beginning, and their bytes.
  var totals = (streams: 0, bytes: 0)
  var streams: [IngestState] = []
  var targets: [Target] = []
}
