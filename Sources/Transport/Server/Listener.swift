// SPDX-License-Identifier: MIT

public import RTMP

/// Takes connections at an address, and drives an RTMP session on each.
public final class Listener {
  public let port: UInt16

  /// - Parameters:
  ///   - host: a name or an address, without brackets.
  ///   - port: 0 for one that the system chooses.
  public init(
    host: String, port: UInt16, _ configuration: ServerConfiguration,
    _ options: ListenerOptions = ListenerOptions(), on loop: EventLoop,
    _ onEvent: @escaping (ServerLink, ServerLinkEvent) -> Void
  ) throws(TransportError) {
    self.port = port
  }

  /// Takes no more connections; those that are there go on.
  public func close() {}
}
