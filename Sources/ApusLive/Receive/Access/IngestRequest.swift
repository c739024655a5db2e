// SPDX-License-Identifier: MIT

/// A request of a client, or its end, as passed to the hooks that decide.
public struct IngestRequest: Sendable {
  public enum Purpose: String, Sendable {
    case publish, play
    /// The client no longer publishes, for whatever reason.
    case publishDone = "publish_done"
    case playDone = "play_done"
  }

  public var purpose: Purpose
  /// The name of the stream in files and reports.
  public var name: String
  public var app: String
  /// The key that the client sent, without its query; it may be a secret.
  public var key: String
  /// The query after the key or the app, such as `token=7&user=anna`.
  public var query: String
  /// The address of the client, without its port.
  public var address: String
  public var client: Int
  /// The software that the client claims to be.
  public var software: String
}

/// The decision about a request.
public enum IngestVerdict: Hashable, Sendable {
  case allowed
  /// The request is allowed, and the stream gets this name.
  case renamed(String)
  /// The request is refused; the reason is reported, and not sent to the client.
  case denied(String)
}
