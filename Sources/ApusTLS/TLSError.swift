// SPDX-License-Identifier: MIT

/// Why TLS cannot be used, or was not believed, and what a person can do about it.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable {
    /// The library is not there.
    case missing
    /// A certificate or key of ours cannot be used.
    case configuration
    /// The peer's certificate is not believed.
    case certificate
    /// The peer does not speak TLS, or breaks it.
    case `protocol`
  }

  public var kind: Kind
  public var description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
