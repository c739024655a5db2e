// SPDX-License-Identifier: MIT

public import RTMP
public import Transport

/// How a stream is played from a server.
public struct PullOptions: Sendable {
  /// How many times in a row a failure is followed by another attempt before the stream is given up.
  public var retries = 10
  /// Whether a server that does not give the stream at the very start is asked again.
  public var waitsForServer = false
  public var reconnects = ReconnectPolicy.sameDomain
  public var link = ClientOptions()

  public init() {}
}
