// SPDX-License-Identifier: MIT

package import RTMP

/// Events from a link of a listener to the listener's owner.
package enum ServerLinkEvent: Sendable {
  /// The first event: a client is connected.
  case opened
  /// A request, to be answered with `accept` or `refuse`, now or later; until then nothing is read.
  case request(ServerRequest)
  case state(ServerState)
  /// A tag of the stream that is being published.
  case tag(ReceivedTag)
  case pong(UInt32)
  /// The client ended its stream properly.
  case streamEnded
  /// The queue was passed to the kernel, and the kernel has little left to send.
  case drained
  /// The last event: the connection is closed.
  case ended(SessionError?)
}
