// SPDX-License-Identifier: MIT

/// What a client session asks of its transport, in this order.
public enum ClientAction: Sendable {
  case send([UInt8])
  case state(ClientState)
  /// A tag of the stream that is played.
  case tag(ReceivedTag)
  /// A status that changes nothing by itself.
  case status(Status)
  /// The peer answered a ping with this time in it.
  case pong(UInt32)
  /// Close the connection, open another one to the same address, and `start` this session again.
  case connectAgain(because: String)
  /// The server wants the client elsewhere. Go on sending up to the next key frame, meanwhile open a session
  /// there; where `isNow`, this one is over.
  case moveTo(Address, isNow: Bool)
  /// The session is over: close the connection.
  case close(SessionError?)
}

/// How far a client session has come. A transport gives each stage its time.
public enum ClientState: String, Hashable, Sendable {
  case idle
  case handshake
  case connect
  case createStream = "create stream"
  /// The server was asked to take or give the stream.
  case request
  /// Tags go out, or come in.
  case running
  case ended
}
