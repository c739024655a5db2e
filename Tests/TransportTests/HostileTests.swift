// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import Glibc
import Testing

@testable import ApusTransport
@testable import RTMP

/// Clients that no listener should suffer from.
@Suite(.timeLimit(.minutes(5))) struct HostileTests {
  @Test func `it serves a client whose bytes come one by one`() throws {
    let rig = try Rig()
    try rig.listen()
    let plain = try PlainClient(rig, sendsAtOnce: false)
    let tags = Array(Tags.few.filter { $0.count < 1000 })
    var sent = 0
    func next() {
      if plain.session.state == .running, sent == 0, !tags.isEmpty {
        for tag in tags { #expect(throws: Never.self) { try plain.append(tag) } }
        sent = tags.count
      }
      if let byte = plain.output.first, plain.send([byte]) == 1 { plain.output.removeFirst() }
      rig.loop.after(0) { next() }
    }
    next()
    rig.run { rig.received.count == tags.count }
    #expect(rig.received.map(\.data) == (try Tags.bytes(tags)))
  }

  @Test(arguments: [0, 1])
  func `it closes a client that asks for nothing in time`(bytes: Int) throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    var options = ListenerOptions()
    options.deadlines.request = .milliseconds(50)
    try rig.listen("127.0.0.1", options)
    let plain = try PlainClient(rig, sendsAtOnce: false)
    _ = plain.send([UInt8](repeating: 3, count: bytes)[...])
    rig.run { rig.opened == 1 }
    clock.advance(by: 50_000_000)
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .deadline)
    #expect(rig.serverEnds.first??.detail.contains("asked for no stream within 50 ms") == true)
    withExtendedLifetime(plain) {}
  }

  @Test func `it pings a publisher that falls silent, and closes it if it stays so`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    var options = ListenerOptions()
    options.deadlines.silence = .milliseconds(250)
    try rig.listen("127.0.0.1", options)
    // A session of ours answers pings.
    let client = Client(rig, Rig.address(rig.port))
    var pongs = 0
    rig.onServer = { _, event in if case .pong = event { pongs += 1 } }
    rig.run { client.states.last == .running }
    for count in 1...3 {
      repeat {
        clock.advance(by: 125_000_000)
        rig.turn()
      } while !rig.links[0].silence.isAsked
      rig.run { pongs == count }
    }
    #expect(rig.serverEnds.isEmpty)
    #expect(!client.isEnded)
    try client.link.isReading = false
    while rig.serverEnds.isEmpty {
      clock.advance(by: 125_000_000)
      rig.turn()
    }
    #expect(rig.serverEnds.first??.kind == .deadline)
    #expect(rig.serverEnds.first??.detail.contains("for 250 ms") == true)
  }

  @Test func `it keeps few answers for a client that reads none`() throws {
    let clock = ManualClock()
    let rig = try Rig(clock)
    var options = ListenerOptions()
    options.deadlines.stall = .seconds(1)
    try rig.listen("127.0.0.1", options)
    let plain = try PlainClient(rig)
    rig.run { plain.session.state == .running }
    plain.stopReading()
    // Each of these is answered.
    var (flood, writer) = ([UInt8](), ChunkWriter())
    writer.chunkSize = 1 << 16
    let question = try Command("_checkbw", 9, [.null]).bytes()
    for _ in 0..<2000 {
      try writer.append(
        .command, on: 3, streamID: 0, timestamp: 0, head: question, to: &flood)
    }
    var (most, start) = (0, 0)
    func pour() {
      let count = plain.send(flood[start...])
      start = (start + max(count, 0)) % flood.count
      most = max(most, rig.links[0].queued)
      if count <= 0 { clock.advance(by: 1_000_000_000 / 64) }
      rig.loop.after(0) { if rig.serverEnds.isEmpty { pour() } }
    }
    pour()
    rig.run { rig.serverEnds.count == 1 }
    #expect(most > 1 << 14)
    #expect(most < 1 << 20)
    #expect(rig.serverEnds.first??.kind == .deadline)
    #expect(rig.serverEnds.first??.detail.contains("accepted no data for 1 s") == true)
  }

  /// Sends bytes past the session as fast as they are taken, until the listener's link ends or all are sent.
  private func pour(_ bytes: ArraySlice<UInt8>, _ plain: PlainClient, _ rig: Rig) {
    let count = max(plain.send(bytes), 0)
    guard count < bytes.count, rig.serverEnds.isEmpty else { return }
    rig.loop.after(0) { [self] in pour(bytes.dropFirst(count), plain, rig) }
  }

  private static func chunkSize(_ size: UInt8) -> [UInt8] {
    [2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, size]
  }

  /// A video message of so many bytes, each in a chunk of its own.
  private static func crumbs(_ count: Int) -> [UInt8] {
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    let start: [UInt8] = [4, 0, 0, 0] + length + [9, 1, 0, 0, 0, 0x17]
    return start + (1..<count).flatMap { _ in [0xc4, 0x41] as [UInt8] }
  }

  @Test func `it takes a message in chunks of one byte, and bounds how long that goes on`() throws {
    let rig = try Rig()
    try rig.listen()
    let plain = try PlainClient(rig)
    rig.run { plain.session.state == .running }
    pour((Self.chunkSize(1) + Self.crumbs(30_000))[...], plain, rig)
    rig.run { rig.received.count == 1 }
    #expect(rig.received.first?.data == [0x17] + [UInt8](repeating: 0x41, count: 29_999))
    pour(Self.crumbs(1 << 18)[...], plain, rig)
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .limit)
    #expect(rig.serverEnds.first??.detail.contains("chunk_size") == true)
    #expect(rig.received.count == 1)
  }

  /// Announced bytes cost nothing before they come.
  @Test func `it bounds messages of 16 MiB on 2000 chunk streams`() throws {
    let rig = try Rig()
    try rig.listen()
    let plain = try PlainClient(rig)
    rig.run { plain.session.state == .running }
    let flood = (0..<2000).flatMap { stream -> [UInt8] in
      [1, UInt8(stream & 255), UInt8(stream >> 8), 0, 0, 0, 255, 255, 255, 9, 1, 0, 0, 0]
        + [UInt8](repeating: 0x41, count: 128)
    }
    let before = try Self.memory()
    var most = 0
    rig.onServer = { _, event in
      if case .ended = event { most = (try? Self.memory()) ?? .max }
    }
    pour((Self.chunkSize(128) + flood)[...], plain, rig)
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .limit)
    #expect(
      rig.serverEnds.first??.detail.contains("cs_id is one of more than the limit of 64") == true)
    // 256 MiB; 64 of the messages would take a gigabyte.
    #expect(most - before < 1 << 16)
  }

  /// Pages of data that this process has asked for, touched or not: proc(5), `statm`.
  private static func memory() throws -> Int {
    let descriptor = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(descriptor, &text, text.count)
    let fields = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
    return try #require(fields.dropFirst(5).first.flatMap { Int($0) })
  }

  @Test func `it tells of a publisher that vanishes`() throws {
    let rig = try Rig()
    try rig.listen()
    let client = Client(rig, Rig.address(rig.port)) { link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: Never.self) { try link.send(Tags.few) }
    }
    rig.run { rig.received.count == Tags.few.count }
    try client.link.abort()
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .closed)
    #expect(rig.streamEnds == 0)
  }

  @Test func `it survives a player that closes while it is sent to`() throws {
    let rig = try Rig()
    try rig.listen()
    let tag = Tags.sample(.video, at: 0, [UInt8](repeating: 1, count: 1 << 20))
    var player: ServerLink?
    rig.onServer = { link, event in if case .state(.playing) = event { player = link } }
    let client = Client(rig, Rig.address(rig.port), .play)
    rig.run { client.states.last == .running }
    try client.link.abort()
    let link = try #require(player)
    // Into a socket whose other end is gone.
    for _ in 0..<4 { try link.send([tag]) }
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .closed)
    #expect(throws: SessionError.self) { try link.send([tag]) }
  }
}
