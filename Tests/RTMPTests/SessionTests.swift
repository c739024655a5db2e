// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@testable import RTMP

/// A client and a server of ours with each other.
@Suite struct SessionTests {
  static let address = Address(
    host: "127.0.0.1", app: "live", key: StreamKey("secret?token=abc"))
  static let cuts: [Cut] = [.whole, .every(1), .every(3), .random(21), .random(22)]

  static func client(_ purpose: ClientConfiguration.Purpose = .publish) -> ClientConfiguration {
    ClientConfiguration(address, for: purpose)
  }

  /// Metadata, sound and pictures, one of them larger than a chunk.
  static let tags: [OutgoingTag] = [
    .sample(.script, at: 0, hex("02 000a 6f6e4d65746144617461 08 00000000 000009")),
    .sample(.video, at: 0, hex("90 68766331 0102030405")),
    .sample(.audio, at: 0, hex("af 00 1210")),
    .sample(.video, at: 0, [0x91] + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 31) }),
    .sample(.audio, at: 23, hex("af 01 2122")),
    .sample(.video, at: 33, [0xa1] + [UInt8](repeating: 5, count: 70_000)),
    .sample(.audio, at: 46, []),
    .sample(.script, at: 50, hex("02 0007 6f6e4375655074 05")),
  ]

  static func bytes(_ tags: [OutgoingTag]) throws -> [[UInt8]] {
    try tags.map { $0.head + (try $0.payload.bytes()) }
  }

  @Test(arguments: cuts, [HandshakeForm.simple, .digest])
  func `it publishes however the bytes are cut`(cut: Cut, form: HandshakeForm) throws {
    var configuration = Self.client()
    configuration.handshake = form
    var wire = Wire(configuration, cut: cut)
    wire.connect()
    #expect(wire.states == [.handshake, .connect, .createStream, .request, .running])
    #expect(wire.server.handshake.form == form)
    let request = try #require(wire.server.request)
    #expect(request.app == "live")
    #expect(request.key.unmasked == "secret?token=abc")
    #expect(request.capabilities?.takesVideo("hvc1") == true)
    #expect(wire.client.serverCapabilities?.takesVideo("av01") == true)

    try wire.publish(Self.tags)
    #expect(wire.received.map(\.data) == (try Self.bytes(Self.tags)))
    #expect(wire.received.map(\.time) == Self.tags.map(\.time))
    #expect(wire.received.map(\.type) == Self.tags.map(\.type))

    wire.take(wire.client.end())
    wire.settle()
    #expect(wire.client.state == .ended)
    #expect(wire.clientError == nil)
    #expect(wire.serverSeen.contains { if case .streamEnded = $0 { true } else { false } })
    #expect(
      wire.server.disconnected().contains { if case .close(nil) = $0 { true } else { false } })
  }

  @Test(arguments: cuts)
  func `it plays however the bytes are cut`(cut: Cut) throws {
    var wire = Wire(Self.client(.play), cut: cut)
    wire.connect()
    #expect(wire.client.state == .running)
    #expect(wire.server.state == .playing)
    try wire.play(Self.tags)
    #expect(wire.played.map(\.data) == (try Self.bytes(Self.tags)))
    #expect(wire.played.map(\.time) == Self.tags.map(\.time))
    wire.take(wire.server.end())
    wire.settle()
    #expect(wire.client.state == .ended)
    #expect(wire.clientError == nil)
  }

  @Test func `it ends where FFmpeg, as a server, says that it has sent all`() throws {
    var wire = Wire(Self.client(.play))
    wire.connect()
    // As FFmpeg 5.1 and 9 with `-listen 1` send it: FCUnpublish.
    let head: [UInt8] = [3, 0, 0, 0, 0, 0, 0x1e, 0x14, 0, 0, 0, 0, 2, 0, 11]
    let rest: [UInt8] = [0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 5, 2, 0, 3]
    let bytes = head + Array("FCUnpublish".utf8) + rest + Array("key".utf8)
    wire.take(wire.client.receive(bytes.span))
    #expect(wire.client.state == .ended)
    #expect(wire.clientError == nil)
  }

  @Test func `it reads what came behind a request once that is accepted`() throws {
    var wire = Wire(Self.client())
    wire.connect()
    // The same client's bytes in one piece, to a server that answers late.
    var sent = wire.clientSeen.flatMap {
      if case .send(let bytes) = $0 { bytes } else { [UInt8]() }
    }
    try wire.client.append(Self.tags[1], to: &sent)
    var server = ServerSession(ServerConfiguration(), random: Seeded(12))
    let before = server.receive(sent.span)
    #expect(server.state == .waiting)
    #expect(before.allSatisfy { if case .tag = $0 { false } else { true } })
    let after = server.accept()
    #expect(after.contains { if case .tag = $0 { true } else { false } })
  }

  @Test func `it tells of a refused name with the server's code`() throws {
    var wire = Wire(Self.client())
    wire.answer = { _ in
      Status(
        level: "error", code: "NetStream.Publish.BadName", text: "secret is \u{1b}[31min use")
    }
    wire.connect()
    let error = try #require(wire.clientError)
    #expect(error.code == "NetStream.Publish.BadName")
    #expect(
      error.detail
        == "the server refuses the stream: NetStream.Publish.BadName (•••• is ?[31min use)")
  }

  @Test(arguments: [
    ("live", "secret?token=abc", true), ("live", "secret", true), ("/live/", "secret", true),
    ("live", "secret?token=abd", false), ("live", "", false), ("live2", "secret", false),
    ("live/secret", "", false), ("", "live/secret", true),
  ])
  func `it lets in who names the app and key`(app: String, key: String, isAllowed: Bool) {
    let access = ServerConfiguration.Access(app: app, key: StreamKey(key))
    var wire = Wire(Self.client(), ServerConfiguration(access: access))
    wire.connect()
    #expect((wire.client.state == .running) == isAllowed)
    #expect((wire.clientError?.code == "NetStream.Publish.Denied") == !isAllowed)
    #expect(wire.serverError?.detail.contains("secret") != true)
  }

  @Test(arguments: [false, true])
  func `it connects plainly where the server closes on the new words or keeps silent`(
    isSilent: Bool
  ) throws {
    var script = try Script(Self.client())
    #expect(try script.sent("connect")["fourCcList"]?.values?.first?.text == "hvc1")
    let actions = isSilent ? script.client.unanswered() : script.client.disconnected()
    #expect(actions.contains { if case .connectAgain = $0 { true } else { false } })
    try script.start()
    #expect(try script.sent("connect")["fourCcList"] == nil)
    #expect(script.client.unanswered().isEmpty)
    #expect(
      script.client.disconnected().contains {
        if case .close(let error) = $0 { error?.kind == .closed } else { false }
      })
  }

  @Test func `it answers pings and hears of pongs on both sides`() {
    var wire = Wire(Self.client())
    wire.connect()
    wire.take(wire.client.ping(77))
    wire.take(wire.server.ping(78))
    wire.settle()
    #expect(wire.clientSeen.contains { if case .pong(77) = $0 { true } else { false } })
    #expect(wire.serverSeen.contains { if case .pong(78) = $0 { true } else { false } })
  }

  @Test(
    arguments: [
      ("rtmp://127.0.0.1:1936/live", ReconnectPolicy.sameDomain, "rtmp://127.0.0.1:1936/live"),
      ("/other", .sameDomain, "rtmp://127.0.0.1/other"),
      ("rtmps://127.0.0.1/live", .sameDomain, "rtmps://127.0.0.1/live"),
      ("rtmp://10.0.0.1/live", .sameDomain, nil),
      ("rtmp://10.0.0.1/live", .any, "rtmp://10.0.0.1/live"),
      ("rtmp://127.0.0.1/live", .no, nil), (nil, .no, "rtmp://127.0.0.1/live"),
    ] as [(String?, ReconnectPolicy, String?)])
  func `it goes where the policy lets it`(
    target: String?, policy: ReconnectPolicy, expected: String?
  ) {
    var configuration = Self.client()
    configuration.reconnects = policy
    var wire = Wire(configuration)
    wire.connect()
    wire.take(wire.server.requestReconnect(to: target, because: "maintenance"))
    wire.settle()
    let address = wire.clientSeen.lazy.compactMap {
      if case .moveTo(let address, isNow: false) = $0 { address } else { nil }
    }.first
    #expect(address?.tcURL == expected)
    #expect(address?.key.unmasked == (expected == nil ? nil : "secret?token=abc"))
    #expect(wire.client.state == .running)
  }

  @Test func `it follows no more than five requests`() {
    var configuration = Self.client()
    configuration.hops = 5
    var wire = Wire(configuration)
    wire.connect()
    wire.take(wire.server.requestReconnect(to: nil, because: ""))
    wire.settle()
    #expect(!wire.clientSeen.contains { if case .moveTo = $0 { true } else { false } })
  }

  @Test func `it acknowledges past 4 GiB`() throws {
    var channel = MessageChannel(limits: ChunkLimits(), window: 1000)
    let window = try ControlMessage.windowAcknowledgementSize(1 << 20).bytes()
    _ = try channel.apply(Message(.windowAcknowledgementSize, payload: window))
    var (total, count): (UInt64, Int) = (0, 0)
    var reader = ChunkReader()
    while total < 5 << 30 {
      try channel.count(1 << 20)
      total += 1 << 20
      var position = 0
      while let message = try reader.next(channel.output.span, from: &position) {
        #expect(
          try ControlMessage(message) == .acknowledgement(UInt32(truncatingIfNeeded: total)))
        count += 1
      }
      channel.output = []
    }
    #expect(count == 5 << 10)
  }
}
