// SPDX-License-Identifier: MIT

public import Media
public import RTMP

/// What happens to the inputs of a stream, reported on the thread that reads them.
public enum InputEvent: Sendable {
  /// Another of several inputs begins, by its place.
  case began(Int)
  /// The stand-by takes over.
  case stalled
  /// The input continues; nanoseconds for which the stand-by took its place.
  case resumed(after: Int64)
  /// The input was opened again, or could not be read on and is opened again.
  case reopened(MediaError?)
  /// A server is asked for the stream.
  case connecting(Address, attempt: Int)
  /// The connection to the server is gone; nanoseconds until the next attempt.
  case lost(String, retryAfter: Int64)
  case warning(String)
}
