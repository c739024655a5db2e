// SPDX-License-Identifier: MIT

import FLV

@testable import RTMP

/// A client that a test talks to as a server would, or as none should.
struct Script {
  var client: ClientSession
  var actions: [ClientAction] = []
  /// What the client said since the connection was opened.
  private var heard: [Message] = []
  private var writer = ChunkWriter()
  private var reader = ChunkReader()

  /// Opens a connection and shakes hands.
  init(_ configuration: ClientConfiguration) throws {
    client = ClientSession(configuration, random: Seeded(31))
    try start()
  }

  mutating func start() throws {
    (writer, reader, heard) = (ChunkWriter(), ChunkReader(), [])
    var (random, position) = (Seeded(32), 0)
    let opening = client.start().flatMap {
      if case .send(let bytes) = $0 { bytes } else { [UInt8]() }
    }
    var server = ServerHandshake()
    let answer = try server.receive(opening.span, from: &position, using: &random)
    // The client's C2 comes before its first chunk.
    try take(client.receive(answer.span), after: HandshakeBlock.size)
  }

  mutating func say(_ bytes: [UInt8]) throws { try take(client.receive(bytes.span)) }

  mutating func say(_ name: String, _ transaction: Double, _ values: [AMFValue]) throws {
    var output: [UInt8] = []
    try writer.append(
      .command, on: 3, streamID: 0, timestamp: 0,
      head: Command(name, transaction, values).bytes(), to: &output)
    try say(output)
  }

  /// Refuses `connect` with these words.
  mutating func refuse(_ words: String) throws {
    try say(
      "_error", 1,
      [
        .null,
        .object([
          ("level", "error"), ("code", "NetConnection.Connect.Rejected"),
          ("description", .text(words)),
        ]),
      ])
  }

  /// The command object of the command that the client sent last under this name.
  func sent(_ name: String) throws -> AMFValue {
    let commands = try heard.filter { $0.type == .command }.map { try Command($0) }
    return commands.last { $0.name == name }?.values.first ?? .undefined
  }

  var isAsking: Bool { actions.contains { if case .connectAgain = $0 { true } else { false } } }

  var error: SessionError? { actions.error }

  private mutating func take(_ actions: [ClientAction], after skipped: Int = 0) throws {
    self.actions += actions
    let bytes = actions.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
    var position = skipped
    while let message = try reader.next(bytes.span, from: &position) { heard.append(message) }
  }
}

extension [ClientAction] {
  /// Why the first that closes the connection does so.
  var error: SessionError? {
    lazy.compactMap { if case .close(let error) = $0 { error } else { nil } }.first
  }
}
