// SPDX-License-Identifier: MIT

public import RTMP

/// What a link of a listener tells the listener's owner.
public enum ServerLinkEvent: Sendable {
  /// The first event: a client is connected.
  case opened
  /// Answer with `accept` or `refuse`, now or later; until then nothing is read.
  case request(ServerRequest)
  case state(ServerState)
  /// A tag of the stream that is published.
  case tag(ReceivedTag)
  case pong(UInt32)
  /// The client ended its stream in order.
  case streamEnded
  /// What was queued has gone to the kernel, and the kernel has little left to send.
  case drained
  /// The last event: the connection is closed.
  case ended(SessionError?)
}
