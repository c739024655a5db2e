// SPDX-License-Identifier: MIT

import FLV
import Glibc
import RTMP
import Testing

@testable import ApusTransport

/// Servers that are silent, close, refuse or do not exist, at each stage.
@Suite(.timeLimit(.minutes(5))) struct StageTests {
  private static let limit: Int64 = 500_000_000

  private static func hasty(_ nanoseconds: Int64) -> ClientOptions {
    var options = ClientOptions()
    let limit = Duration.nanoseconds(nanoseconds)
    options.deadlines.connect = limit
    options.deadlines.tls = limit
    options.deadlines.handshake = limit
    options.deadlines.connectCommand = limit
    options.deadlines.createStream = limit
    options.deadlines.request = limit
    options.deadlines.silence = limit
    return options
  }

  @Test(
    arguments: [
      (nil, .handshake, "did not finish the RTMP handshake within 500 ms"),
      (.connect, .connect, "did not answer the stage “connect” within 500 ms"),
      (.createStream, .createStream, "did not answer the stage “create stream” within 500 ms"),
      (.request, .request, "did not answer the stage “request” within 500 ms"),
    ] as [(ClientState?, ClientState, String)])
  func `it gives up at a silent server, and says at which stage`(
    silence: ClientState?, state: ClientState, words: String
  ) throws {
    let rig = try Rig(ManualClock())
    let server = try PlainServer(rig.loop, .silent(silence))
    let client = Client(rig, Rig.address(server.port), .publish, Self.hasty(Self.limit))
    server.clientState = { (try? client.link.session.state) ?? .idle }
    rig.exhaust(client, at: state, Self.limit)
    #expect(client.states.last == state)
    #expect(client.error?.kind == .deadline)
    #expect(client.error?.detail.contains(words) == true)
    #expect(client.error?.detail.contains("127.0.0.1") == true)
    #expect(client.error?.detail.contains("secret") == false)
    #expect(server.connections == (state == .connect ? 2 : 1))
  }

  @Test func `it gives up at a server that is silent in TLS`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    let server = try PlainServer(rig.loop, .silent(nil))
    let address = Rig.address("127.0.0.1", server.port, .rtmps)
    let client = Client(rig, address, .publish, Self.hasty(Self.limit))
    // Its first bytes are those of TLS.
    server.onBytes = { rig.check() }
    rig.run { server.received > 0 }
    clock.advance(by: Self.limit)
    rig.run { client.isEnded }
    #expect(
      client.error?.detail.contains("did not finish the TLS handshake within 500 ms") == true)
    #expect(client.states == [])
  }

  @Test func `it gives up where nobody takes the connection`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    let full = try FullSocket()
    let client = Client(rig, Rig.address(full.port), .publish, Self.hasty(Self.limit))
    rig.turn()
    clock.advance(by: Self.limit)
    rig.run { client.isEnded }
    #expect(client.error?.kind == .deadline)
    #expect(
      client.error?.detail.contains("127.0.0.1 port \(full.port) did not answer within 500 ms")
        == true)
  }

  @Test func `it gives up on a name that is not resolved in time`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    var options = Self.hasty(Self.limit)
    options.resolve = { _, _, _, _ in }
    let client = Client(rig, Rig.address("localhost", 1), .publish, options)
    clock.advance(by: 9_999_999_999)
    rig.turn()
    #expect(!client.isEnded)
    clock.advance(by: 1)
    rig.run { client.isEnded }
    #expect(
      client.error?.detail.contains("the name localhost was not resolved within 10 s") == true)
  }

  @Test func `it gives up at a server that stops reading`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    let server = try PlainServer(rig.loop, .unreading)
    let tag = Tags.sample(.video, at: 0, [UInt8](repeating: 1, count: 15 << 20))
    let client = Client(rig, Rig.address(server.port), .publish, Self.hasty(Self.limit)) {
      link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: Never.self) { try link.send([tag]) }
      #expect(link.queued > 0)
    }
    rig.run { client.isEnded || client.states.last == .running }
    // The kernels of both ends take what fits into their buffers first.
    while !client.isEnded {
      clock.advance(by: Self.limit)
      rig.turn()
    }
    #expect(client.error?.kind == .deadline)
    #expect(client.error?.detail.contains("127.0.0.1 accepted no data for 500 ms") == true)
  }

  /// The first half of the time for `connect` is for the words of Enhanced RTMP.
  @Test func `it connects plainly to a server that does not answer the new words`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    let server = try PlainServer(rig.loop, .deaf(to: "fourCcList"))
    let client = Client(rig, Rig.address(server.port), .publish, Self.hasty(2 * Self.limit))
    rig.run { client.isEnded || client.states.last == .connect }
    clock.advance(by: Self.limit)
    rig.run { client.isEnded || client.states.last == .running }
    #expect(client.states.last == .running)
    #expect(try !client.link.session.isEnhanced)
    #expect(server.connections == 2)
  }

  /// Closing on the words of Enhanced RTMP is a refusal of them, so it is asked once more.
  @Test(arguments: [
    (ClientState.handshake, 1), (.connect, 2), (.createStream, 1), (.request, 1),
  ])
  func `it tells at which stage the server closed`(state: ClientState, connections: Int) throws {
    let rig = try Rig()
    let server = try PlainServer(rig.loop, .closing(state))
    let client = Client(rig, Rig.address(server.port))
    server.clientState = { (try? client.link.session.state) ?? .idle }
    rig.run { client.isEnded }
    #expect(client.error?.kind == .closed)
    #expect(client.error?.detail.contains("“\(state.rawValue)”") == true)
    #expect(server.connections == connections)
  }

  @Test func `it says that nobody listens`() throws {
    let (descriptor, port) = try PlainServer.listen(1)
    close(descriptor)
    let rig = try Rig()
    let client = Client(rig, Rig.address(port))
    rig.run { client.isEnded }
    #expect(client.error?.kind == .network)
    #expect(
      client.error?.detail
        == "cannot connect to 127.0.0.1 port \(port) (127.0.0.1: connection refused)")
  }

  @Test func `it says that a name has no address`() throws {
    let rig = try Rig()
    var options = ClientOptions()
    options.resolve = { _, _, loop, answer in loop.soon { answer(.failure("no such name")) } }
    let client = Client(rig, Rig.address("apus.invalid", 1935), .publish, options)
    rig.run { client.isEnded }
    #expect(client.error?.kind == .network)
    #expect(client.error?.detail == "the name apus.invalid cannot be resolved: no such name")
  }

  @Test func `it ends at once, before there is a connection too`() throws {
    let rig = try Rig()
    let full = try FullSocket()
    let client = Client(rig, Rig.address(full.port))
    try client.link.end()
    rig.run { client.isEnded }
    #expect(client.error == nil)
  }

  @Test func `it goes on to the next address when one fails or is slow`() throws {
    let rig = try Rig()
    try rig.listen()
    let (descriptor, closed) = try PlainServer.listen(1)
    close(descriptor)
    let full = try FullSocket()
    let addresses = try [("::1", closed), ("127.0.0.1", full.port), ("127.0.0.1", rig.port)].map {
      guard case .addresses(let found) = Resolver.resolve($0, port: $1, isNumeric: true) else {
        throw TransportError("no address")
      }
      return try #require(found.first)
    }
    var connected: SocketAddress?
    let connector = Connector(addresses, pause: 20_000_000, on: rig.loop) { outcome in
      guard case .connected(let descriptor, let address) = outcome else { return }
      connected = address
      close(descriptor)
      rig.check()
    }
    connector.begin()
    rig.run { connected != nil }
    #expect(connected?.port == rig.port)
  }

  @Test func `it tries both families in turn`() throws {
    let addresses = try ["::1", "::2", "::3", "127.0.0.1", "127.0.0.2"].map {
      guard case .addresses(let found) = Resolver.resolve($0, port: 1, isNumeric: true) else {
        throw TransportError("no address")
      }
      return try #require(found.first)
    }
    #expect(
      Connector.interleaved(addresses).map(\.host) == [
        "::1", "127.0.0.1", "::2", "127.0.0.2", "::3",
      ])
    #expect(addresses[0].description == "[::1]:1")
  }
}
