// SPDX-License-Identifier: MIT

public import ApusMedia

/// A target to which a live stream is forwarded.
public struct ForwardTarget: Sendable {
  public enum Way: Sendable {
    case server(BroadcastTarget)
    /// A target that is not an RTMP server; created again for each stream.
    case sink(@Sendable () throws(MediaError) -> any StreamSink, PublishOptions)
  }

  /// The number that identifies the target in reports.
  public let id: Int
  public let way: Way

  public init(_ target: BroadcastTarget) {
    id = target.id
    way = .server(target)
  }

  public init(
    id: Int, _ options: PublishOptions,
    sink: @escaping @Sendable () throws(MediaError) -> any StreamSink
  ) {
    self.id = id
    way = .sink(sink, options)
  }
}
