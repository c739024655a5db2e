// SPDX-License-Identifier: MIT

public import ApusTransport
public import RTMP

/// One of several servers that receive a stream, with its own dialect, queue and patience.
public struct BroadcastTarget: Sendable {
  /// The number that identifies the target in reports.
  public let id: Int
  /// The address to publish to, followed by its alternatives.
  public var addresses: [Address]
  public var options: PublishOptions
  public var link: ClientOptions

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
  public var id: Int
  public var isRunning: Bool
  public var statistics: PublishStatistics
  /// The number of bytes that the network accepted, over all connections.
  public var bytesSent: Int
  /// The round-trip time.
  public var roundTrip: Duration?
}
