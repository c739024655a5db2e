// SPDX-License-Identifier: MIT

/// The server's side of the handshake, in the form that the client chose.
public struct ServerHandshake: Sendable {
  static let version: UInt8 = 3

  /// Whether all bytes of the client's handshake have been read.
  public private(set) var isDone = false
  /// The form that the client chose; `nil` before that.
  public private(set) var form: HandshakeForm?

  private var input: [UInt8] = []

  /// The version of a server that digest clients know.
  private static let serverVersion: [UInt8] = [3, 5, 1, 1]

  /// Creates a handshake that waits for the client.
  public init() {}

  /// Reads as many bytes from `position` on as the handshake needs; returns what to send.
  mutating func receive(
    _ bytes: Span<UInt8>, from position: inout Int, using random: inout some RandomNumberGenerator
  ) throws(SessionError) -> [UInt8] {
    let size = HandshakeBlock.size
    while position < bytes.count, input.count < 1 + 2 * size {
      input.append(bytes[position])
      position += 1
      if input.count == 1, input[0] != Self.version {
        throw SessionError(
          .handshake, "the client begins with \(Self.name(of: input[0])), RTMP begins with 3")
      }
    }
    var output: [UInt8] = []
    if form == nil, input.count > size {
      output = answer(to: Array(input[1...size]), using: &random)
    }
    if input.count == 1 + 2 * size {
      isDone = true
      input = []
    }
    return output
  }

  /// Returns S0, S1 and S2.
  private mutating func answer(
    to block: [UInt8], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let isPlain = block[4..<8].allSatisfy { $0 == 0 }
    if !isPlain,
      let (scheme, digest) = HandshakeBlock.signature(of: block, key: HandshakeKey.clientName)
    {
      form = .digest
      var mine = HandshakeBlock.opening(version: Self.serverVersion, using: &random)
      HandshakeBlock.sign(&mine, scheme, key: HandshakeKey.serverName)
      return [Self.version] + mine
        + HandshakeBlock.answer(to: digest, key: HandshakeKey.server, using: &random)
    }
    form = .simple
    return [Self.version] + HandshakeBlock.opening(version: [0, 0, 0, 0], using: &random) + block
  }

  /// Returns a guess at the peer's protocol from the first byte of a connection.
  static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x16: "a TLS record (use rtmps)"
    case 0x3c, 0x41...0x5a: "text, such as HTTP"
    case 6, 8, 9: "\(byte), an encrypted form of RTMP that is not known here"
    default: "\(byte)"
    }
  }
}
