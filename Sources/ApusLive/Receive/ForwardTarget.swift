// SPDX-License-Identifier: MIT

public import ApusMedia

/// A target to which a live stream is forwarded.
public struct ForwardTarget: Sendable {
  /// The kind of connection to the target.
  public enum Way: Sendable {
    case server(BroadcastTarget)
    /// A target that is not an RTMP server; created again for each stream.
    case sink(@Sendable () throws(MediaError) -> any StreamSink, PublishOptions)
  }

  /// The number that identifies the target in reports.
  public let id: Int
  /// The kind of connection, with its options.
  public let way: Way

  /// Forwards to an RTMP server, with the number and the options of the target.
  public init(_ target: BroadcastTarget) {
    id = target.id
    way = .server(target)
  }

  /// Forwards to a target that is not an RTMP server.
  ///
  /// - Parameter sink: creates the connection; called again for each stream.
  public init(
    id: Int, _ options: PublishOptions,
    sink: @escaping @Sendable () throws(MediaError) -> any StreamSink
  ) {
    self.id = id
    way = .sink(sink, options)
  }
}
