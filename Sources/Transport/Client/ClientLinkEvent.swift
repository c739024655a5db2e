// SPDX-License-Identifier: MIT

public import RTMP

/// What a client link tells its owner.
public enum ClientLinkEvent: Sendable {
  case state(ClientState)
  /// A tag of the stream that is played.
  case tag(ReceivedTag)
  case status(Status)
  /// The server answered a ping with this time in it.
  case pong(UInt32)
  /// What was queued has gone to the kernel, and the kernel has little left to send.
  case drained
  /// The server wants the client elsewhere; see `ClientAction.moveTo`.
  case moveTo(Address, isNow: Bool)
  /// The last event: the connection is closed. Without an error, after everything was sent.
  case ended(SessionError?)
}
