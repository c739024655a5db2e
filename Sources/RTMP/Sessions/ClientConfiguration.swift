// SPDX-License-Identifier: MIT

/// What a client connects for, and how.
public struct ClientConfiguration: Sendable {
  public enum Purpose: Hashable, Sendable {
    case publish
    case play
  }

  public var address: Address
  public var purpose: Purpose
  public var handshake = HandshakeForm.simple
  /// The capabilities that `connect` states; `nil` connects plainly. A server that refuses, closes or keeps silent is
  /// asked once more without them.
  public var capabilities: Capabilities?
  /// The number of bytes of payload in each chunk that is sent.
  public var chunkSize: UInt32 = 1 << 16
  /// The number of bytes after which the server is to acknowledge.
  public var window: UInt32 = 2_500_000
  public var limits = ChunkLimits()
  /// What to make of a server that sends its clients elsewhere.
  public var reconnects = ReconnectPolicy.sameDomain
  /// How many times this stream was sent elsewhere already.
  public var hops = 0
  /// What the client calls itself. Some servers take nothing but names that they know, such as these.
  public var flashVersion: String

  public init(_ address: Address, for purpose: Purpose) {
    self.address = address
    self.purpose = purpose
    capabilities = purpose == .publish ? .publisher : .receiver
    flashVersion = purpose == .publish ? "FMLE/3.0 (compatible; Apus)" : "LNX 9,0,124,2"
  }
}
