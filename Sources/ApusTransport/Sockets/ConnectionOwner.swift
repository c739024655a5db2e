// SPDX-License-Identifier: MIT

internal import RTMP

/// The user of a connection, which the connection keeps alive while it is open.
protocol ConnectionOwner: AnyObject {
  /// Called when data can be sent and received, after the TLS handshake if there is one.
  func connectionOpened()
  func connectionReceived(_ bytes: Span<UInt8>)
  /// Called when the queue, which was full, is empty again.
  func connectionDrained()
  /// Called when the peer closed the connection, or it broke. Only `connectionClosed` may follow.
  func connectionLost(_ error: SessionError?)
  /// Called when the socket is closed after `finish`, with an error if not everything was sent.
  func connectionClosed(_ error: SessionError?)
}

/// Settings for the socket of a connection.
struct ConnectionSettings {
  /// The name of the peer in errors.
  var peer: String
  var notSentLowWater: Int
  var noDelay = true
  /// The time for which the peer's TCP may acknowledge nothing although data are under way, in nanoseconds.
  var silence: Duration
  /// The time that the peer has to close after we did.
  var closing: Duration
}
