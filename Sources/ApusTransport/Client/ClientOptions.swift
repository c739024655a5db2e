// SPDX-License-Identifier: MIT

public import ApusTLS

/// Options for the socket of a client link.
public struct ClientOptions: Sendable {
  /// The certificates that are trusted for `rtmps` addresses.
  public var trust = TLSTrust.system
  public var deadlines = Deadlines()
  /// The number of unsent bytes that the kernel may hold (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10
  /// Whether small writes are sent at once (TCP_NODELAY).
  public var noDelay = true
  /// The time after which the next address is tried in parallel, in nanoseconds: RFC 8305, 5.
  public var nextAddress: Int64 = 250_000_000

  /// Finds the addresses of a name, and answers on the loop; a test replaces it.
  var resolve: @Sendable (String, UInt16, EventLoop, @escaping (Resolver.Outcome) -> Void) -> Void =
    {
      Resolver.resolve($0, port: $1, on: $2, $3)
    }

  public init() {}

  /// The longest durations of the stages, in nanoseconds.
  public struct Deadlines: Hashable, Sendable {
    /// The time until the name is resolved.
    public var resolve: Int64 = 10_000_000_000
    /// The time until a connection is established, to any of the addresses.
    public var connect: Int64 = 10_000_000_000
    public var tls: Int64 = 10_000_000_000
    /// The time for RTMP's handshake.
    public var handshake: Int64 = 10_000_000_000
    /// The time until `connect` is answered; one with the properties of Enhanced RTMP gets half of it before it is sent
    /// again without them.
    public var connectCommand: Int64 = 10_000_000_000
    public var createStream: Int64 = 10_000_000_000
    /// The time until the server accepts or provides the stream.
    public var request: Int64 = 15_000_000_000
    /// The time for which the peer's TCP may acknowledge nothing although data are under way.
    public var silence: Int64 = 15_000_000_000
    /// The time from the closing messages until the server closes too.
    public var goodbye: Int64 = 1_000_000_000

    public init() {}
  }
}
