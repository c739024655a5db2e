// SPDX-License-Identifier: MIT

public import RTMP
public import Transport

/// One of several servers that a stream goes to, with its own dialect, queue and patience.
public struct BroadcastTarget: Sendable {
  /// The number by which reports tell targets apart.
  public let id: Int
  /// Where to publish, then where else.
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

/// How a target is doing.
public struct BroadcastState: Sendable {
  public var id: Int
  public var isRunning: Bool
  public var statistics: PublishStatistics
  /// All that the network took, over all connections.
  public var bytesSent: Int
  /// Microseconds.
  public var roundTrip: Int64?
}
