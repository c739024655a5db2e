// SPDX-License-Identifier: MIT

internal import Bytes

/// Why a stream could not be published, in words without its key.
public struct PublishError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The input cannot be read on, or holds nothing that can be streamed.
    case input
    /// How HEVC is to be sent has to be said.
    case dialect
    /// No server took the stream, or none any more.
    case connection
  }

  public var kind: Kind
  public var detail: String

  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  init(_ error: SyntaxError) { self.init(.input, "\(error)") }
}

extension PublishError: CustomStringConvertible {
  public var description: String { detail }
}
