// SPDX-License-Identifier: MIT

package import RTMP

/// Events from a client link to its owner.
package enum ClientLinkEvent: Sendable {
  case state(ClientState)
  /// A tag of the stream that is being played.
  case tag(ReceivedTag)
  case status(Status)
  /// The server answered the ping with this time.
  case pong(UInt32)
  /// The queue was passed to the kernel, and the kernel has little left to send.
  case drained
  /// The server redirects the client; see `ClientAction.moveTo`.
  case moveTo(Address, isNow: Bool)
  /// The last event: the connection is closed. If there is no error, everything was sent.
  case ended(SessionError?)
}
