// SPDX-License-Identifier: MIT

public import ApusTLS

/// Options for the socket of a client link.
public struct ClientOptions: Sendable {
  /// The certificates that are trusted for `rtmps` addresses.
  public var trust = TLSTrust.system
  /// The longest durations of the stages of a connection.
  public var deadlines = Deadlines()
  /// The number of unsent bytes that the kernel may hold (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10
  /// Whether small writes are sent at once (TCP_NODELAY).
  public var noDelay = true
  /// The time after which the next address is tried in parallel: RFC 8305, 5.
  public var nextAddress: Duration = .milliseconds(250)

  /// Finds the addresses of a name, and answers on the loop; a test replaces it.
  var resolve: @Sendable (String, UInt16, EventLoop, @escaping (Resolver.Outcome) -> Void) -> Void =
    {
      Resolver.resolve($0, port: $1, on: $2, $3)
    }

  /// Creates the default options.
  public init() {}

  /// The longest durations of the stages.
  public struct Deadlines: Hashable, Sendable {
    /// The time until the name is resolved.
    public var resolve: Duration = .seconds(10)
    /// The time until a connection is established, to any of the addresses.
    public var connect: Duration = .seconds(10)
    /// The time from the connection to the end of the TLS handshake.
    public var tls: Duration = .seconds(10)
    /// The time for RTMP's handshake.
    public var handshake: Duration = .seconds(10)
    /// The time until `connect` is answered; one with the properties of Enhanced RTMP gets half of it before it is sent
    /// again without them.
    public var connectCommand: Duration = .seconds(10)
    /// The time from `createStream` to the server's answer.
    public var createStream: Duration = .seconds(10)
    /// The time until the server accepts or provides the stream.
    public var request: Duration = .seconds(15)
    /// The time for which the peer's TCP may acknowledge nothing although data are under way.
    public var silence: Duration = .seconds(15)
    /// The time from the closing messages until the server closes too.
    public var closing: Duration = .seconds(1)

    /// Creates the default durations, 10 or 15 seconds for most stages.
    public init() {}
  }
}
