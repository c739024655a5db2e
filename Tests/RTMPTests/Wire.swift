// SPDX-License-Identifier: MIT

import ApusBytes
import FLV

@testable import RTMP

/// A client and a server with nothing but a cut between them.
struct Wire {
  var client: ClientSession
  var server: ServerSession
  var cut: Cut
  /// Says yes or no to requests.
  var answer: (ServerRequest) -> Status? = { _ in nil }
  /// How many connections were opened.
  var connections = 0
  var clientSeen: [ClientAction] = []
  var serverSeen: [ServerAction] = []

  private let serverConfiguration: ServerConfiguration
  private var toServer: [UInt8] = []
  private var toClient: [UInt8] = []

  init(
    _ client: ClientConfiguration, _ server: ServerConfiguration = ServerConfiguration(),
    cut: Cut = .whole
  ) {
    self.client = ClientSession(client, random: Seeded(11))
    self.server = ServerSession(server, random: Seeded(12))
    serverConfiguration = server
    self.cut = cut
  }

  mutating func connect() {
    connections += 1
    server = ServerSession(serverConfiguration, random: Seeded(12))
    (toServer, toClient) = ([], [])
    take(client.start())
    settle()
  }

  /// Moves bytes until there are none.
  mutating func settle() {
    while !toServer.isEmpty || !toClient.isEmpty {
      let (sent, answered) = (toServer, toClient)
      (toServer, toClient) = ([], [])
      for piece in cut.pieces(of: sent) { take(server.receive(piece.span)) }
      for piece in cut.pieces(of: answered) { take(client.receive(piece.span)) }
    }
  }

  mutating func publish(_ tags: [OutgoingTag]) throws(SessionError) {
    for tag in tags { try client.append(tag, to: &toServer) }
    settle()
  }

  mutating func play(_ tags: [OutgoingTag]) throws(SessionError) {
    for tag in tags { try server.append(tag, to: &toClient) }
    settle()
  }

  mutating func take(_ actions: [ClientAction]) {
    for action in actions {
      clientSeen.append(action)
      switch action {
      case .send(let bytes): toServer += bytes
      case .connectAgain:
        _ = server.disconnected()
        connect()
      default: break
      }
    }
  }

  mutating func take(_ actions: [ServerAction]) {
    for action in actions {
      serverSeen.append(action)
      switch action {
      case .send(let bytes): toClient += bytes
      case .request(let request):
        if let refusal = answer(request) {
          take(server.refuse(refusal))
        } else {
          take(server.accept())
        }
      default: break
      }
    }
  }

  var received: [ReceivedTag] {
    serverSeen.compactMap { if case .tag(let tag) = $0 { tag } else { nil } }
  }

  var played: [ReceivedTag] {
    clientSeen.compactMap { if case .tag(let tag) = $0 { tag } else { nil } }
  }

  /// The states that the client went through.
  var states: [ClientState] {
    clientSeen.compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  /// Why the client ended; `nil` where it did not, or ended well.
  var clientError: SessionError? {
    clientSeen.lazy.compactMap { if case .close(let error) = $0 { error } else { nil } }.first
  }

  var serverError: SessionError? {
    serverSeen.lazy.compactMap { if case .close(let error) = $0 { error } else { nil } }.first
  }
}

extension OutgoingTag {
  static func sample(_ type: TagType, at time: Int64, _ bytes: [UInt8]) -> OutgoingTag {
    let middle = min(5, bytes.count)
    return OutgoingTag(
      type, time: time, head: Array(bytes[..<middle]), payload: Extent(Array(bytes[middle...])))
  }
}
