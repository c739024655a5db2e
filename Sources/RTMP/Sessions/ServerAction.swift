// SPDX-License-Identifier: MIT

/// What a server session asks of its transport, in this order.
public enum ServerAction: Sendable {
  case send([UInt8])
  case state(ServerState)
  /// A client that may come in asks for a stream: `accept` or `refuse` it. Until then nothing more is read.
  case request(ServerRequest)
  /// A tag of the stream that is published.
  case tag(ReceivedTag)
  case pong(UInt32)
  /// The client ended its stream.
  case streamEnded
  /// The session is over: close the connection, after what was to be sent.
  case close(SessionError?)
}

/// A stream that a client asks for.
public struct ServerRequest: Sendable {
  public enum Purpose: Hashable, Sendable {
    case publish
    case play
  }

  public var purpose: Purpose
  public var app: String
  public var key: StreamKey
  /// What the client can do; `nil` where it said nothing.
  public var capabilities: Capabilities?
  public var flashVersion: String
  let streamID: UInt32
}

public enum ServerState: String, Hashable, Sendable {
  case handshake
  /// `connect` is waited for.
  case connect
  /// A stream may be asked for.
  case idle
  /// A request waits for its answer.
  case waiting
  case publishing
  case playing
  case ended
}
