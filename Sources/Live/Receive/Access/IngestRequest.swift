// SPDX-License-Identifier: MIT

/// What a client asks for, or has ended, as it is given to those who decide.
public struct IngestRequest: Sendable {
  public enum Purpose: String, Sendable {
    case publish, play
    /// The client publishes or plays no more, whatever ended that.
    case publishDone = "publish_done"
    case playDone = "play_done"
  }

  public var purpose: Purpose
  /// What files and reports call the stream.
  public var name: String
  public var app: String
  /// The key as the client has it, without its query; it may be a secret.
  public var key: String
  /// The query after the key or the app, such as `token=7&user=anna`.
  public var query: String
  /// The address of the client, without its port.
  public var address: String
  public var client: Int
  /// What the client says that it is.
  public var software: String
}

/// What is decided about a request.
public enum IngestVerdict: Hashable, Sendable {
  case allowed
  /// The stream is called otherwise from here on.
  case renamed(String)
  /// The request is refused; the reason is reported, and not sent to the client.
  case denied(String)
}
