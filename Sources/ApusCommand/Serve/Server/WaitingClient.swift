// SPDX-License-Identifier: MIT

import ApusHTTP
import CApusSandbox

/// A client that waits for an answer.
struct WaitingClient: Sendable {
  let exchange: HTTPExchange
  /// The time at which its request was complete.
  let came: SuspendingClock.Instant

  /// Whether its connection is open.
  var isThere: Bool { apus_wait_for_reply(-1, exchange.socket, 0) != APUS_WAIT_ABANDONED }
}
