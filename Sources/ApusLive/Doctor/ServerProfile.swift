// SPDX-License-Identifier: MIT

public import RTMP

/// The properties of a server that could be found out.
public struct ServerProfile: Sendable {
  /// The address and port to which the connection was made.
  public var peer: String
  /// The names of the server's software, in its answer to `connect`.
  public var software: [String]
  /// The version bytes of its handshake.
  public var versionBytes: [UInt8]
  /// Whether it signs the handshake for a client that does; `nil` where that was not tested.
  public var signsHandshake: Bool?
  /// The capabilities that it declared; `nil` where it did not mention Enhanced RTMP.
  public var capabilities: Capabilities?
  /// Whether it accepted a connection only without the parameters of Enhanced RTMP.
  public var refusesEnhancedWords: Bool

  init(_ session: ClientSession, peer: String) {
    self.peer = peer
    software = session.serverSoftware
    versionBytes = session.serverVersion
    capabilities = session.serverCapabilities
    refusesEnhancedWords = !session.isEnhanced
  }

  /// Records the handshake of a client that signs; some servers show their version only to such a client.
  mutating func note(signedHandshakeOf session: ClientSession) {
    signsHandshake = session.isServerSigned
    if versionBytes.allSatisfy({ $0 == 0 }) { versionBytes = session.serverVersion }
  }

  /// Whether its version bytes are those of nginx-rtmp.
  public var isNginx: Bool { program == "nginx-rtmp" }

  /// The program that is known to use these version bytes.
  public var program: String? {
    switch versionBytes {
    case [0x0d, 0x0e, 0x0a, 0x0d]: "nginx-rtmp"
    case [0x01, 0x00, 0x05, 0x04]: "SRS"
    default: nil
    }
  }
}
