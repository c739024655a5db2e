// SPDX-License-Identifier: MIT

public import RTMP

/// What a server let know of itself by the time it took the stream.
public struct ServerFacts: Sendable {
  public var capabilities: Capabilities?
  public var isNginx: Bool

  public init(capabilities: Capabilities? = nil, isNginx: Bool = false) {
    self.capabilities = capabilities
    self.isNginx = isNginx
  }
}
