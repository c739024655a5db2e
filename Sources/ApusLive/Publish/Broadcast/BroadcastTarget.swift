// SPDX-License-Identifier: MIT

public import ApusTransport
public import RTMP

/// One of several servers that receive a stream, with its own dialect, queue and patience.
public struct BroadcastTarget: Sendable {
  /// The number that identifies the target in reports.
  public let id: Int
  /// The address to publish to, followed by its alternatives.
  public var addresses: [Address]
  /// The options of the stream to this target.
  public var options: PublishOptions
  /// The options of each connection, such as timeouts and TLS.
  public var link: ClientOptions

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - id: a number that no other target of the publication has.
  ///   - addresses: the address to publish to, followed by its alternatives.
  public init(
    id: Int, _ addresses: [Address], _ options: PublishOptions = PublishOptions(),
    _ link: ClientOptions = ClientOptions()
  ) {
    self.id = id
    self.addresses = addresses
    self.options = options
    self.link = link
  }
}

/// The state of a target.
public struct BroadcastState: Sendable {
  /// The number that identifies the target in reports.
  public var id: Int
  /// Whether the server accepts the stream at present.
  public var isRunning: Bool
  /// The counters of the stream to this target, over all connections.
  public var statistics: PublishStatistics
  /// The number of bytes that the network accepted, over all connections.
  public var bytesSent: Int
  /// The round-trip time.
  public var roundTrip: Duration?
}
