// SPDX-License-Identifier: MIT

public import Media

/// Where a stream is passed on to while it comes.
public struct ForwardTarget: Sendable {
  public enum Way: Sendable {
    case server(BroadcastTarget)
    /// A target that is not an RTMP server; created again for each stream.
    case sink(@Sendable () throws(MediaError) -> any StreamSink, PublishOptions)
  }

  /// The number by which reports tell targets apart.
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
