// SPDX-License-Identifier: MIT

/// The purpose and the parameters of a client's connection.
public struct ClientConfiguration: Sendable {
  /// The direction of the stream.
  public enum Purpose: Hashable, Sendable {
    case publish
    case play
  }

  /// The address, with the app and the key.
  public var address: Address
  /// The direction of the stream.
  public var purpose: Purpose
  /// The form of the handshake; by default the simple one.
  public var handshake = HandshakeForm.simple
  /// The capabilities declared in `connect`; `nil` connects plainly. If the server refuses, closes or does not answer,
  /// the client tries once more without them.
  public var capabilities: Capabilities?
  /// The number of bytes of payload in each chunk that is sent.
  public var chunkSize: UInt32 = 1 << 16
  /// The number of bytes after which the server should acknowledge.
  public var window: UInt32 = 2_500_000
  /// The limits on what the server may send.
  public var limits = ChunkLimits()
  /// The policy for servers that redirect their clients.
  public var reconnects = ReconnectPolicy.sameDomain
  /// The number of redirects that this stream has followed already.
  public var hops = 0
  /// The name of the client software. Some servers accept only names that they know, such as these.
  public var flashVersion: String

  /// Creates a configuration, with the capabilities and the software name that fit the purpose.
  public init(_ address: Address, for purpose: Purpose) {
    self.address = address
    self.purpose = purpose
    capabilities = purpose == .publish ? .publisher : .receiver
    flashVersion = purpose == .publish ? "FMLE/3.0 (compatible; Apus)" : "LNX 9,0,124,2"
  }
}
