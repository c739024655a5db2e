// SPDX-License-Identifier: MIT

public import ApusTLS

/// How a client link uses its socket.
public struct ClientOptions: Sendable {
  /// The certificates that are trusted where the address is `rtmps`.
  public var trust = TLSTrust.system
  public var deadlines = Deadlines()
  /// How many bytes the kernel may hold that are not sent yet (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10
  /// Whether small writes go out at once (TCP_NODELAY).
  public var noDelay = true
  /// How long one address is tried before the next is tried beside it, in nanoseconds: RFC 8305, 5.
  public var nextAddress: Int64 = 250_000_000

  /// Finds the addresses of a name, and answers on the loop; a test gives its own.
  var resolve: @Sendable (String, UInt16, EventLoop, @escaping (Resolver.Outcome) -> Void) -> Void =
    {
      Resolver.resolve($0, port: $1, on: $2, $3)
    }

  public init() {}

  /// How long each stage may take, in nanoseconds.
  public struct Deadlines: Hashable, Sendable {
    /// The time until the name has become addresses.
    public var resolve: Int64 = 10_000_000_000
    /// The time until a connection is open, at whichever address.
    public var connect: Int64 = 10_000_000_000
    public var tls: Int64 = 10_000_000_000
    /// The time for RTMP's own handshake.
    public var handshake: Int64 = 10_000_000_000
    /// The time until `connect` is answered; one that holds the words of Enhanced RTMP gets half of it before it is
    /// sent again without them.
    public var connectCommand: Int64 = 10_000_000_000
    public var createStream: Int64 = 10_000_000_000
    /// The time until the server takes or gives the stream.
    public var request: Int64 = 15_000_000_000
    /// The time for which the peer's TCP may acknowledge nothing although something is under way.
    public var silence: Int64 = 15_000_000_000
    /// The time from goodbye until the server closes too.
    public var goodbye: Int64 = 1_000_000_000

    public init() {}
  }
}
