// SPDX-License-Identifier: MIT

internal import RTMP

/// The facts that a server has revealed by the time it accepts the stream.
struct ServerFacts: Sendable {
  var capabilities: Capabilities?
  var isNginx = false
}
