// SPDX-License-Identifier: MIT

/// A request of a client, or its end, as passed to the hooks that decide.
public struct IngestRequest: Sendable {
  /// The action that the client requests or has ended.
  public enum Purpose: String, Sendable {
    case publish, play
    /// The client no longer publishes, for whatever reason.
    case publishDone = "publish_done"
    case playDone = "play_done"
  }

  /// The action that the client requests or has ended.
  public var purpose: Purpose
  /// The name of the stream in files and reports.
  public var name: String
  /// The app that the client named, without its query.
  public var app: String
  /// The key that the client sent, without its query; it may be a secret.
  public var key: String
  /// The query after the key or the app, such as `token=7&user=anna`.
  public var query: String
  /// The address of the client, without its port.
  public var address: String
  /// The number that identifies the connection in events.
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
