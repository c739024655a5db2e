// SPDX-License-Identifier: MIT

public import RTMP

/// The facts that a server has revealed by the time it accepts the stream.
public struct ServerFacts: Sendable {
  public var capabilities: Capabilities?
  public var isNginx: Bool

  public init(capabilities: Capabilities? = nil, isNginx: Bool = false) {
    self.capabilities = capabilities
    self.isNginx = isNginx
  }
}
