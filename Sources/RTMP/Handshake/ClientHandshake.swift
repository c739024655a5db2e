// SPDX-License-Identifier: MIT

/// The form in which a client opens a connection.
public enum HandshakeForm: Hashable, Sendable {
  /// The form that RTMP 1.0, 5.2 describes. Every known server accepts it from a publisher.
  case simple
  /// The signed form that Flash players use.
  case digest
}

/// The client's side of the handshake (RTMP 1.0, 5.2): bytes in, bytes out.
public struct ClientHandshake: Sendable {
  /// The version bytes in the server's S1: `0d 0e 0a 0d` is nginx-rtmp, `01 00 05 04` SRS.
  public private(set) var serverVersion: [UInt8] = []
  /// Whether the server signed its S1.
  public private(set) var isServerSigned = false
  /// Whether all bytes of the server's handshake have been read.
  public private(set) var isDone = false

  private let first: [UInt8]
  private let form: HandshakeForm
  private var input: [UInt8] = []
  private var hasAnswered = false

  /// Version bytes of a player that every digest server knows; FFmpeg sends them too.
  private static let playerVersion: [UInt8] = [9, 0, 0x7c, 2]

  /// Begins a handshake, whose first bytes are in `opening`.
  ///
  /// - Parameter random: the generator for the bytes that the standard requires to be random.
  public init(_ form: HandshakeForm, using random: inout some RandomNumberGenerator) {
    self.form = form
    var block = HandshakeBlock.opening(
      version: form == .digest ? Self.playerVersion : [0, 0, 0, 0], using: &random)
    if form == .digest { HandshakeBlock.sign(&block, .late, key: HandshakeKey.clientName) }
    first = block
  }

  /// C0 and C1.
  public var opening: [UInt8] { [ServerHandshake.version] + first }

  /// Reads as many bytes from `position` on as the handshake needs; returns what to send.
  mutating func receive(
    _ bytes: Span<UInt8>, from position: inout Int, using random: inout some RandomNumberGenerator
  ) throws(SessionError) -> [UInt8] {
    let size = HandshakeBlock.size
    while position < bytes.count, input.count < 1 + 2 * size {
      input.append(bytes[position])
      position += 1
      if input.count == 1, input[0] != ServerHandshake.version {
        throw SessionError(
          .handshake,
          "the server answers with \(ServerHandshake.name(of: input[0])), RTMP begins with 3")
      }
    }
    var output: [UInt8] = []
    if !hasAnswered, input.count > size {
      output = answer(to: Array(input[1...size]), using: &random)
      hasAnswered = true
    }
    // Servers echo C1 or sign S2 inconsistently; nothing is gained by insisting.
    if input.count == 1 + 2 * size {
      isDone = true
      input = []
    }
    return output
  }

  /// Returns C2: S1 again, or signed if both sides sign.
  private mutating func answer(
    to block: [UInt8], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    serverVersion = Array(block[4..<8])
    guard form == .digest,
      let (_, digest) = HandshakeBlock.signature(of: block, key: HandshakeKey.serverName)
    else { return block }
    isServerSigned = true
    return HandshakeBlock.answer(to: digest, key: HandshakeKey.client, using: &random)
  }
}
