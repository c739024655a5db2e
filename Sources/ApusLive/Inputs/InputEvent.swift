// SPDX-License-Identifier: MIT

public import ApusMedia
public import RTMP

/// Events of the inputs of a stream, reported on the thread that reads them.
public enum InputEvent: Sendable {
  /// The next of several inputs begins, given by its index.
  case began(Int)
  /// The stand-by replaces the input.
  case stalled
  /// The input continues; the time for which the stand-by replaced it.
  case resumed(after: Duration)
  /// The input was opened again after its end, or after the error given.
  case reopened(MediaError?)
  /// A connection to a server is being opened to play the stream.
  case connecting(Address, attempt: Int)
  /// The connection to the server was lost; the time until the next attempt.
  case lost(String, retryAfter: Duration)
  case warning(String)
}
