// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The reason why a session ended, as text without a key or terminal escapes.
public struct SessionError: Error, Hashable, Sendable {
  /// The kind of reason, by the party and the stage.
  public enum Kind: String, Hashable, Sendable {
    /// An address cannot be parsed.
    case address
    /// The peer does not speak RTMP.
    case handshake
    /// The peer violates the protocol.
    case `protocol`
    /// The peer asks for more memory or work than is allowed.
    case limit
    /// The server, or our own policy, refuses.
    case refused
    /// User and password are missing or wrong.
    case unauthorized
    /// The peer closed the connection.
    case closed
    /// The name has no address, no connection is established, or it broke.
    case network
    /// A stage took longer than allowed.
    case deadline
    /// TLS failed, or the peer's certificate is not trusted.
    case security
    /// The caller requested something that the session's state does not allow.
    case misuse
  }

  /// The kind of reason.
  public var kind: Kind
  /// The reason in words, safe to print.
  public var detail: String
  /// The status code of the server, such as `NetStream.Publish.BadName`.
  public var code: String?

  /// Creates an error.
  ///
  /// - Parameter code: the status code of the server; `nil` if it sent none.
  public init(_ kind: Kind, _ detail: String, code: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.code = code
  }

  init(_ error: SyntaxError) {
    let kind: Kind =
      switch error.kind {
      case .limit: .limit
      case .misuse: .misuse
      default: .protocol
      }
    self.init(kind, "\(error)")
  }
}

extension SessionError: CustomStringConvertible {
  public var description: String { detail }
}
