// SPDX-License-Identifier: MIT

public import FLV
public import RTMP

/// One client of a listener. It is kept by its loop up to its last event.
public final class ServerLink {
  /// Counts up from 1, for each listener.
  public let id: Int
  /// The client's address and port.
  public let peer: String
  public private(set) var session: ServerSession

  init(id: Int, peer: String, _ configuration: ServerConfiguration) {
    self.id = id
    self.peer = peer
    session = ServerSession(configuration)
  }

  /// Says yes to the request.
  public func accept() {}

  /// Says no, and closes.
  public func refuse(_ status: Status) {}

  /// Sends tags to a player, all in one system call where the socket takes them.
  public func send(_ tags: [OutgoingTag]) throws(SessionError) {}

  public func ping(_ time: UInt32) {}

  /// Asks the client to go elsewhere; `nil` for the same address.
  public func requestReconnect(to target: String?, because text: String) {}

  /// Bytes that were given and that the kernel has not taken yet.
  public var queued: Int { 0 }

  /// Whether tags are read. While they are not, TCP holds the client back.
  public var isReading = true

  /// Ends the stream, sends what is queued, closes; `ended` comes then.
  public func end() {}

  /// Closes at once. No event comes any more.
  public func abort() {}
}
