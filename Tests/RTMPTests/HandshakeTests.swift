// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import RTMP

@Suite struct HandshakeTests {
  /// Not random, so that offsets and digests can be had from another program (Python's hmac and hashlib).
  static let block = (0..<1536).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }

  @Test(arguments: [
    (
      DigestScheme.late, 942, "492c04ebd265e6343c4c12f5580a46399bec2724821f27f321b95ca75b63b318",
      "01d1722f262d0920a2fd6c2cff614d034585bbacbc28b5c77a88ca2fc0c3b984"
    ),
    (
      DigestScheme.early, 290, "36d27b365b84e5e55f376e2f24f3a7dd6b8b5e9b002f035f99366c07e43b8d41",
      "2e691a99791972c8b772eb258df6475daab3454c59f81df497d3012cce3ec8bc"
    ),
  ])
  func `it signs where and with what the scheme says`(
    scheme: DigestScheme, offset: Int, client: String, server: String
  ) {
    #expect(scheme.offset(in: Self.block) == offset)
    for (key, digest) in [(HandshakeKey.clientName, client), (HandshakeKey.serverName, server)] {
      var block = Self.block
      HandshakeBlock.sign(&block, scheme, key: key)
      #expect(Array(block[offset..<offset + 32]) == hex(digest))
      #expect(HandshakeBlock.signature(of: block, key: key)?.scheme == scheme)
      block[offset + 31] ^= 1
      #expect(HandshakeBlock.signature(of: block, key: key) == nil)
    }
  }

  @Test(arguments: [
    (HandshakeKey.server, "7fce027fd61c568e1d886d89070214fd2a2391e2c75bf93581cd361dab63b9fa"),
    (HandshakeKey.client, "284c96e80458de5bca470ddda3f8a553d89856199073a49d480ad6b6805f425f"),
  ])
  func `it knows an answer that was made with its digest`(key: [UInt8], code: String) {
    let answer = Self.block[..<1504] + hex(code)
    #expect(HandshakeBlock.isAnswer(Array(answer), to: Array(0..<32), key: key))
    #expect(!HandshakeBlock.isAnswer(Array(answer), to: Array(1..<33), key: key))
  }

  @Test(
    arguments: [HandshakeForm.simple, .digest], [Cut.whole, .every(1), .every(1536), .random(5)])
  func `it shakes hands with itself in either form`(form: HandshakeForm, cut: Cut) throws {
    var random = Seeded(1)
    var client = ClientHandshake(form, using: &random)
    var server = ServerHandshake()
    var (toServer, toClient): ([UInt8], [UInt8]) = (client.opening, [])
    while !toServer.isEmpty || !toClient.isEmpty {
      let (sent, answered) = (toServer, toClient)
      (toServer, toClient) = ([], [])
      for piece in cut.pieces(of: sent) {
        var position = 0
        toClient += try server.receive(piece.span, from: &position, using: &random)
      }
      for piece in cut.pieces(of: answered) {
        var position = 0
        toServer += try client.receive(piece.span, from: &position, using: &random)
      }
    }
    #expect(client.isDone && server.isDone)
    #expect(server.form == form)
    #expect(client.isServerSigned == (form == .digest))
  }

  @Test func `it answers a client of the early scheme in that scheme`() throws {
    var random = Seeded(2)
    var block = HandshakeBlock.opening(version: [9, 0, 0x7c, 2], using: &random)
    HandshakeBlock.sign(&block, .early, key: HandshakeKey.clientName)
    let digest = try #require(HandshakeBlock.signature(of: block, key: HandshakeKey.clientName)).1
    var server = ServerHandshake()
    var position = 0
    let opening = [3] + block
    let answer = try server.receive(opening.span, from: &position, using: &random)
    let first = Array(answer[1..<1537])
    #expect(
      HandshakeBlock.signature(of: first, key: HandshakeKey.serverName)?.scheme == .early)
    #expect(
      HandshakeBlock.isAnswer(Array(answer[1537...]), to: digest, key: HandshakeKey.server))
  }

  @Test func `it echoes a plain client and takes nothing behind the handshake`() throws {
    var random = Seeded(3)
    var server = ServerHandshake()
    let block = [UInt8](repeating: 0, count: 8) + Self.block[8...]
    let bytes = [3] + block + Self.block + [1, 2, 3]
    var position = 0
    let answer = try server.receive(bytes.span, from: &position, using: &random)
    #expect(Array(answer[1537...]) == block)
    #expect(server.isDone)
    #expect(position == 1 + 2 * 1536)
  }

  @Test(arguments: [
    ("GET / HTTP/1.1", "text, such as HTTP"), ("\u{16}\u{3}\u{1}", "TLS"), ("\u{6}", "encrypted"),
  ])
  func `it says what speaks something else`(text: String, words: String) {
    var random = Seeded(4)
    var server = ServerHandshake()
    var position = 0
    let bytes = Array(text.utf8)
    let error = #expect(throws: SessionError.self) {
      try server.receive(bytes.span, from: &position, using: &random)
    }
    #expect(error?.detail.contains(words) == true)
  }
}

extension HandshakeBlock {
  /// Whether a block answers one of ours that held `digest`.
  fileprivate static func isAnswer(_ block: [UInt8], to digest: [UInt8], key: [UInt8]) -> Bool {
    SHA256.code(of: Array(block.dropLast(32)), key: SHA256.code(of: digest, key: key))
      == Array(block.suffix(32))
  }
}
