// SPDX-License-Identifier: MIT

public import RTMP

/// What a server let know of itself.
public struct ServerProfile: Sendable {
  /// The address and port to which the connection was made.
  public var peer: String
  /// What it calls itself, in its answer to `connect`.
  public var software: [String]
  /// The version bytes of its handshake.
  public var versionBytes: [UInt8]
  /// Whether it signs the handshake for a client that does; `nil` where that was not seen.
  public var signsHandshake: Bool?
  /// The capabilities that it stated; `nil` where it said nothing of Enhanced RTMP.
  public var capabilities: Capabilities?
  /// Whether it had to be asked again without the words of Enhanced RTMP.
  public var refusesEnhancedWords: Bool

  init(_ session: ClientSession, peer: String) {
    self.peer = peer
    software = session.serverSoftware
    versionBytes = session.serverVersion
    capabilities = session.serverCapabilities
    refusesEnhancedWords = !session.isEnhanced
  }

  /// Takes in the handshake of a client that signs; some servers show their version to no other.
  mutating func note(signedHandshakeOf session: ClientSession) {
    signsHandshake = session.isServerSigned
    if versionBytes.allSatisfy({ $0 == 0 }) { versionBytes = session.serverVersion }
  }

  public var isNginx: Bool { program == "nginx-rtmp" }

  /// The program that the version bytes are known of.
  public var program: String? {
    switch versionBytes {
    case [0x0d, 0x0e, 0x0a, 0x0d]: "nginx-rtmp"
    case [0x01, 0x00, 0x05, 0x04]: "SRS"
    default: nil
    }
  }
}
