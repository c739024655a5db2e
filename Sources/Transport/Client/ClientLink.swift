// SPDX-License-Identifier: MIT

public import FLV
public import RTMP

/// One RTMP session of a client, with the sockets it takes: resolves, connects, secures, drives the session, and
/// connects again where the session asks for it. It is kept by its loop from `open` to its last event.
public final class ClientLink {
  public let configuration: ClientConfiguration
  public let options: ClientOptions
  public private(set) var session: ClientSession

  public init(
    _ configuration: ClientConfiguration, _ options: ClientOptions = ClientOptions(),
    on loop: EventLoop, _ onEvent: @escaping (ClientLink, ClientLinkEvent) -> Void
  ) {
    self.configuration = configuration
    self.options = options
    session = ClientSession(configuration)
  }

  /// Begins. Once.
  public func open() {}

  /// Sends tags, all in one system call where the socket takes them; what it does not take is queued.
  public func send(_ tags: [OutgoingTag]) throws(SessionError) {}

  /// Sends a ping; the server's `pong` brings the time back.
  public func ping(_ time: UInt32) {}

  /// Bytes that were given and that the kernel has not taken yet.
  public var queued: Int { 0 }
  /// `queued`, and what the kernel has not sent yet. Where that is above the low-water mark, `drained` will come.
  public var unsent: Int { 0 }
  /// Microseconds, as TCP measures them.
  public var roundTrip: Int64? { nil }
  /// Bytes that the kernel took, over all connections of this link.
  public var bytesSent: Int { 0 }
  /// System calls that sending took.
  public var systemCalls: Int { 0 }
  /// The address to which the connection was made.
  public var peer: String? { nil }

  /// Whether tags are read. While they are not, TCP holds the server back.
  public var isReading = true

  /// Says goodbye, sends what is queued, closes; `ended` comes then.
  public func end() {}

  /// Closes at once. No event comes any more.
  public func abort() {}
}
