// SPDX-License-Identifier: MIT

public import ApusTLS

/// How a client link uses its socket.
public struct ClientOptions: Sendable {
  /// Whose certificates are believed, where the address is `rtmps`.
  public var trust = TLSTrust.system
  public var deadlines = Deadlines()
  /// How many bytes the kernel may hold that are not sent yet (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10
  /// Whether small writes go out at once (TCP_NODELAY).
  public var noDelay = true
  /// How long one address is tried before the next is tried beside it, in nanoseconds: RFC 8305, 5.
  public var nextAddress: Int64 = 250_000_000

  public init() {}

  /// How long each stage may take, in nanoseconds.
  public struct Deadlines: Hashable, Sendable {
    /// The name becomes addresses.
    public var resolve: Int64 = 10_000_000_000
    /// A connection is open, at whichever address.
    public var connect: Int64 = 10_000_000_000
    public var tls: Int64 = 10_000_000_000
    /// RTMP's own handshake.
    public var handshake: Int64 = 10_000_000_000
    /// `connect` is answered; one that holds the words of Enhanced RTMP in half that time, or it is said again plainly.
    public var connectCommand: Int64 = 10_000_000_000
    public var createStream: Int64 = 10_000_000_000
    /// The server takes or gives the stream.
    public var request: Int64 = 15_000_000_000
    /// The peer's TCP acknowledges nothing although something is under way.
    public var silence: Int64 = 15_000_000_000
    /// After goodbye, until the server closes too.
    public var goodbye: Int64 = 1_000_000_000

    public init() {}
  }
}
