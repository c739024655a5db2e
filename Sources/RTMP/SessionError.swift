// SPDX-License-Identifier: MIT

internal import Bytes

/// Why a session ended, as text without a key or anything that a terminal would obey.
public struct SessionError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// An address cannot be read.
    case address
    /// The peer does not speak RTMP.
    case handshake
    /// The peer breaks the protocol.
    case `protocol`
    /// The peer asks for more memory or work than is allowed.
    case limit
    /// The server, or a rule of ours, says no.
    case refused
    /// User and password are missing or wrong.
    case unauthorized
    /// The peer closed the connection.
    case closed
    /// The name has no address, no connection comes about, or it broke.
    case network
    /// A stage took longer than it may.
    case deadline
    /// TLS failed, or the peer's certificate is not believed.
    case security
    /// The caller asked for what the session's state does not allow.
    case misuse
  }

  public var kind: Kind
  public var detail: String
  /// The status code of the server, such as `NetStream.Publish.BadName`.
  public var code: String?

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
