// SPDX-License-Identifier: MIT

/// Instructions from a server session to its transport, in this order.
public enum ServerAction: Sendable {
  case send([UInt8])
  case state(ServerState)
  /// An admitted client asks for a stream: `accept` or `refuse` it. Until then nothing more is read.
  case request(ServerRequest)
  /// A tag of the stream that is being published.
  case tag(ReceivedTag)
  case pong(UInt32)
  /// The client ended its stream.
  case streamEnded
  /// The session is over: close the connection after sending what is left.
  case close(SessionError?)
}

/// A stream that a client requests.
public struct ServerRequest: Sendable {
  /// The direction of the stream.
  public enum Purpose: Hashable, Sendable {
    case publish
    case play
  }

  /// The direction of the stream.
  public var purpose: Purpose
  /// The app that the client named in `connect`, with its query.
  public var app: String
  /// The stream key, with its query.
  public var key: StreamKey
  /// The capabilities that the client declared; `nil` if it declared none.
  public var capabilities: Capabilities?
  /// The software that the client claims to be (`flashVer`).
  public var flashVersion: String
  let streamID: UInt32
}

/// The progress of a server session.
public enum ServerState: String, Hashable, Sendable {
  case handshake
  /// Waiting for `connect`.
  case connect
  /// A stream may be requested.
  case idle
  /// A request is waiting for its answer.
  case waiting
  case publishing
  case playing
  case ended
}
