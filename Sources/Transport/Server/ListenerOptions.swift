// SPDX-License-Identifier: MIT

/// How a listener treats its clients.
public struct ListenerOptions: Sendable {
  /// The greatest number of connections. A further client takes the place of one that has asked for no stream yet;
  /// where there is none it gets an answer that says so, and is closed.
  public var maxConnections = 1000
  /// How many bytes all connections may hold together: of messages that are not whole, and of what clients have not
  /// taken. Beyond that connections are closed, first those that have no stream.
  public var memory = 256 << 20
  public var deadlines = Deadlines()
  /// The certificate with its chain, and its key; `nil` for plain RTMP.
  public var tls: TLSFiles?
  /// How many bytes the kernel may hold for a player that are not sent yet (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10

  public init() {}

  /// Paths of PEM files.
  public struct TLSFiles: Hashable, Sendable {
    public var certificate: String
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// How long each stage may take, in nanoseconds.
  public struct Deadlines: Hashable, Sendable {
    /// The time from the connection to a request for a stream, and from the end of one stream to the next request.
    public var request: Int64 = 15_000_000_000
    /// The time for which nothing may come from a publisher, not even the answer to a ping.
    public var silence: Int64 = 60_000_000_000
    /// The time for which a client's TCP may acknowledge nothing although something is under way.
    public var stall: Int64 = 15_000_000_000
    /// The time from goodbye until the client closes too.
    public var goodbye: Int64 = 1_000_000_000

    public init() {}
  }
}
