// SPDX-License-Identifier: MIT

import FLV
import TestSupport
import Testing

@testable import RTMP

/// Servers that mean harm, or are broken.
@Suite struct HostileServerTests {
  @Test func `it ends where a server opens 2000 chunk streams`() throws {
    var script = try Script(SessionTests.client())
    var bytes: [UInt8] = []
    for stream in 0..<2000 {
      bytes += [1, UInt8(stream & 255), UInt8(stream >> 8)] + hex("000000 ffffff 09 01000000")
      bytes += [UInt8](repeating: 0x41, count: 128)
    }
    try script.say(bytes)
    #expect(script.error?.kind == .limit)
    #expect(script.client.state == .ended)
    try script.say(bytes)
    #expect(script.client.state == .ended)
  }

  @Test func `it ends where a server nests 5000 objects`() throws {
    var script = try Script(SessionTests.client())
    var payload = hex("02 0007 5f726573756c74 00 3ff0000000000000")
    for _ in 0..<5000 { payload += hex("03 0001 61") }
    try script.say(
      "_result", 9, [])
    var (writer, output) = (ChunkWriter(), [UInt8]())
    try writer.append(.command, on: 5, streamID: 0, timestamp: 0, head: payload, to: &output)
    try script.say(output)
    #expect(script.error?.kind == .limit)
  }

  @Test(arguments: [Double.nan, .infinity, -1, 4_294_967_296, 1e300])
  func `it takes no stream that is no number`(number: Double) throws {
    var script = try Script(SessionTests.client())
    try script.say("_result", 1, [.null, .object([])])
    try script.say("_result", 4, [.null, .number(number)])
    #expect(script.error?.kind == .protocol)
  }

  @Test(arguments: [
    ("<html>", "text, such as HTTP"), ("HTTP/1.1 400 Bad Request", "text, such as HTTP"),
    ("\u{16}\u{3}\u{1}", "a TLS record (use rtmps)"), ("\u{6}", "6, an encrypted form"),
  ])
  func `it names servers of other protocols`(answer: String, name: String) throws {
    var client = ClientSession(SessionTests.client())
    _ = client.start()
    let error = client.receive(Array(answer.utf8).span).error
    #expect(error?.kind == .handshake)
    #expect(error?.detail.hasPrefix("the server answers with \(name)") == true)
  }

  @Test(arguments: [(Address.Scheme.rtmp, true), (.rtmps, false)])
  func `it suggests TLS where the server hangs up at once`(scheme: Address.Scheme, suggests: Bool) {
    var address = SessionTests.address
    address.scheme = scheme
    var client = ClientSession(ClientConfiguration(address, for: .publish))
    _ = client.start()
    let error = client.disconnected().error
    #expect(error?.kind == .closed)
    #expect(error?.detail.hasSuffix("; try rtmps://") == suggests)
  }

  @Test func `it answers no flood of pings`() throws {
    var script = try Script(SessionTests.client())
    script.actions = []
    var bytes = hex("02 000000 000006 04 00000000 0006 00000001")
    for _ in 0..<10_000 { bytes += hex("c2 0006 00000001") }
    try script.say(bytes)
    let sent = script.actions.reduce(0) {
      if case .send(let bytes) = $1 { $0 + bytes.count } else { $0 }
    }
    #expect(sent > 0)
    #expect(sent < 1000)
  }

  @Test func `it acknowledges once where a server asks for it after each byte`() throws {
    var script = try Script(SessionTests.client())
    try script.say(hex("02 000000 000004 05 00000000 00000001"))
    script.actions = []
    try script.say(hex("42 000000 000000 03"))
    let sent = script.actions.reduce(0) {
      if case .send(let bytes) = $1 { $0 + bytes.count } else { $0 }
    }
    // A header that says only what differs from the message before, and the number.
    #expect(sent == 8 + 4)
  }

  @Test(arguments: [
    ("rtmp://127.0.0.2/live", false), ("rtmp://127.0.0.1:1999/live", true),
    ("http://127.0.0.1/", false),
  ])
  func `it is redirected no farther than the policy says`(target: String, follows: Bool) throws {
    var script = try Script(SessionTests.client())
    try script.say(
      "_error", 1,
      [
        .null,
        .object([("ex", .object([("code", 302.0), ("redirect", .text(target))]))]),
      ])
    let moved = script.actions.contains {
      if case .moveTo(_, isNow: true) = $0 { true } else { false }
    }
    #expect(moved == follows)
    #expect((script.error == nil) == follows)
    #expect(script.client.state == .ended)
  }

  @Test func `it holds no more than is allowed behind a request`() throws {
    var configuration = ServerConfiguration()
    configuration.held = 1000
    var wire = Wire(SessionTests.client(), configuration)
    wire.connect()
    let sent = wire.clientSeen.flatMap {
      if case .send(let bytes) = $0 { bytes } else { [UInt8]() }
    }
    var server = ServerSession(configuration, random: Seeded(12))
    _ = server.receive(sent.span)
    #expect(server.state == .waiting)
    let more = [UInt8](repeating: 0, count: 1001)
    let actions = server.receive(more.span)
    #expect(
      actions.contains { if case .close(let error) = $0 { error?.kind == .limit } else { false } })
  }
}
