// SPDX-License-Identifier: MIT

/// Instructions from a client session to its transport, in this order.
public enum ClientAction: Sendable {
  case send([UInt8])
  case state(ClientState)
  /// A tag of the stream that is being played.
  case tag(ReceivedTag)
  /// A status that changes nothing by itself.
  case status(Status)
  /// The peer answered the ping with this time.
  case pong(UInt32)
  /// Close the connection, open another one to the same address, and `start` this session again.
  case connectAgain(because: String)
  /// The server redirects the client. Continue sending up to the next key frame, and meanwhile open a session there; if
  /// `isNow`, this one is over.
  case moveTo(Address, isNow: Bool)
  /// The session is over: close the connection.
  case close(SessionError?)
}

/// The progress of a client session. A transport limits the time of each stage.
public enum ClientState: String, Hashable, Sendable {
  case idle
  case handshake
  case connect
  case createStream = "create stream"
  /// The server was asked to accept or provide the stream.
  case request
  /// Tags are sent or received.
  case running
  case ended
}
