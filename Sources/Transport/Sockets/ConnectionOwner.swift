// SPDX-License-Identifier: MIT

internal import RTMP

/// The user of a connection, which keeps it while it is open.
protocol ConnectionOwner: AnyObject {
  /// Bytes can go both ways: the TLS handshake, where there is one, is over.
  func connectionOpened()
  func connectionReceived(_ bytes: Span<UInt8>)
  /// The queue was full, and is empty again.
  func connectionDrained()
  /// The peer closed the connection, or it broke. Nothing more comes but `connectionClosed`.
  func connectionLost(_ error: SessionError?)
  /// The socket is closed, as `finish` was to do, with an error where not all was sent before.
  func connectionClosed(_ error: SessionError?)
}

/// How a connection uses its socket.
struct ConnectionSettings {
  /// What errors call the peer.
  var peer: String
  var notSentLowWater: Int
  var noDelay = true
  /// How long the peer's TCP may acknowledge nothing although something is under way, in nanoseconds.
  var silence: Int64
  /// How long the peer may take to close after we did.
  var goodbye: Int64
}
