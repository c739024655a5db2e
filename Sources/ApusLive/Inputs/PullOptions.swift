// SPDX-License-Identifier: MIT

public import ApusTransport
public import RTMP

/// Options for playing a stream from a server.
public struct PullOptions: Sendable {
  /// The number of consecutive failures after which no further attempt is made.
  public var retries = 10
  /// Whether further attempts are made if the server does not provide the stream at the very start.
  public var waitsForServer = false
  /// The rule for redirects to other addresses that are followed.
  public var reconnects = ReconnectPolicy.sameDomain
  /// The options of each connection, such as timeouts and TLS.
  public var link = ClientOptions()

  /// Creates the default options.
  public init() {}
}
