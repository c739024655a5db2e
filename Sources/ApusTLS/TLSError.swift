// SPDX-License-Identifier: MIT

/// The reason why TLS cannot be used, or the peer was not trusted, with a possible remedy.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, by the party that can correct it.
  public enum Kind: String, Hashable, Sendable {
    /// The library is not installed.
    case missing
    /// One of our certificates or keys cannot be used.
    case configuration
    /// The peer's certificate is not trusted.
    case certificate
    /// The peer does not use TLS, or violates the protocol.
    case `protocol`
  }

  /// The kind of failure.
  public var kind: Kind
  public var description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
