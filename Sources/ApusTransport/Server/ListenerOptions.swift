// SPDX-License-Identifier: MIT

/// Options of a listener for its clients.
public struct ListenerOptions: Sendable {
  /// The most connections. A further client replaces one that has not requested a stream yet; if there is none it is
  /// refused with a message and disconnected.
  public var maxConnections = 1000
  /// The most bytes that all connections may hold: of incomplete messages, and of data that clients have not accepted.
  /// Beyond that connections are closed, first those without a stream.
  public var memory = 256 << 20
  /// The longest durations of the stages of a connection.
  public var deadlines = Deadlines()
  /// The certificate with its chain, and its key; `nil` for plain RTMP.
  public var tls: TLSFiles?
  /// The number of unsent bytes that the kernel may hold for a player (TCP_NOTSENT_LOWAT).
  public var notSentLowWater = 128 << 10

  /// Creates the default options, for plain RTMP.
  public init() {}

  /// Paths of PEM files.
  public struct TLSFiles: Hashable, Sendable {
    /// The path of the certificate, followed in the same file by its chain.
    public var certificate: String
    /// The path of the private key.
    public var key: String

    /// Creates the paths; the files are read when the listener begins.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The longest durations of the stages.
  public struct Deadlines: Hashable, Sendable {
    /// The time from the connection to a request for a stream, and from the end of one stream to the next request.
    public var request: Duration = .seconds(15)
    /// The time for which a publisher may send nothing, not even the answer to a ping.
    public var silence: Duration = .seconds(60)
    /// The time for which a client's TCP may acknowledge nothing although data are under way.
    public var stall: Duration = .seconds(15)
    /// The time from the closing messages until the client closes too.
    public var closing: Duration = .seconds(1)

    /// Creates the default durations.
    public init() {}
  }
}
