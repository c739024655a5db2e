// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import Glibc
import RTMP
import Testing

@testable import ApusTransport

/// Our client with our server, over loopback.
@Suite struct LinkTests {
  @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func `it publishes what was sent, and ends`(host: String) throws {
    let rig = try Rig()
    do {
      try rig.listen(host)
    } catch let error as TransportError {
      // A machine without IPv6.
      #expect(host == "::1" && (error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT))
      return
    }
    let client = Client(rig, Rig.address(host, rig.port)) { link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: Never.self) { try link.send(Tags.few) }
      link.end()
    }
    rig.run { client.isEnded && rig.serverEnds.count == 1 }
    #expect(rig.received.map(\.data) == (try Tags.bytes(Tags.few)))
    #expect(rig.received.map(\.time) == Tags.few.map(\.time))
    #expect(client.states == [.handshake, .connect, .createStream, .request, .running, .ended])
    #expect(client.isEnded)
    #expect(client.error == nil)
    #expect(rig.streamEnds == 1)
    #expect(rig.serverEnds == [nil])
    #expect(rig.listener?.connections == 0)
    #expect(try client.link.queued == 0)
  }

  @Test func `it plays what was sent, and hears of its end`() throws {
    let rig = try Rig()
    try rig.listen()
    rig.onServer = { link, event in
      guard case .state(.playing) = event else { return }
      // The answer to the request is on its way first.
      rig.loop.after(0) {
        #expect(throws: Never.self) { try link.send(Tags.few) }
        link.end()
      }
    }
    let client = Client(rig, Rig.address(rig.port), .play)
    rig.run { client.isEnded && rig.serverEnds.count == 1 }
    #expect(client.tags.map(\.data) == (try Tags.bytes(Tags.few)))
    #expect(client.tags.map(\.time) == Tags.few.map(\.time))
    #expect(client.error == nil)
    #expect(rig.serverEnds == [nil])
  }

  @Test func `it tells of a refusal, in the server's words`() throws {
    let rig = try Rig()
    try rig.listen()
    rig.answer = { _, _ in
      Status(level: "error", code: "NetStream.Publish.BadName", text: "the name is taken")
    }
    let client = Client(rig, Rig.address(rig.port))
    rig.run { client.isEnded && rig.serverEnds.count == 1 }
    #expect(client.error?.code == "NetStream.Publish.BadName")
    #expect(client.error?.detail.contains("the name is taken") == true)
    #expect(rig.serverEnds.first??.kind == .refused)
  }

  @Test func `it reads nothing while a request waits`() throws {
    let rig = try Rig()
    try rig.listen()
    let client = Client(rig, Rig.address(rig.port)) { link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: Never.self) { try link.send(Tags.few) }
    }
    var waiting: ServerLink?
    rig.accepts = false
    rig.onServer = { link, event in
      guard case .request = event else { return }
      waiting = link
      rig.loop.after(20_000_000) { link.accept() }
    }
    rig.run { rig.received.count == Tags.few.count }
    #expect(waiting != nil)
    try client.link.abort()
    rig.run { rig.serverEnds.count == 1 }
    #expect(rig.serverEnds.first??.kind == .closed)
    #expect(!client.isEnded)
  }

  @Test func `it sends 8 MB through a small window, and tells when they are gone`() throws {
    let rig = try Rig()
    try rig.listen()
    let tags = (0..<8).map {
      Tags.sample(.video, at: Int64($0), [0xa1] + [UInt8](repeating: UInt8($0), count: 1 << 20))
    }
    var most = 0
    let client = Client(rig, Rig.address(rig.port)) { link, event in
      switch event {
      case .state(.running):
        #expect(throws: Never.self) { try link.send(tags) }
        most = link.queued
        #expect(link.unsent >= link.queued)
      case .drained:
        #expect(link.queued == 0)
        link.end()
      default: break
      }
    }
    rig.run { client.isEnded }
    #expect(most > 4 << 20)
    #expect(client.drained == 1)
    #expect(client.error == nil)
    #expect(rig.received.map(\.data) == (try Tags.bytes(tags)))
    #expect(try client.link.bytesSent > 8 << 20)
  }

  @Test func `it sends a batch of tags in one system call`() throws {
    let rig = try Rig()
    try rig.listen()
    let tags = (0..<20).map {
      Tags.sample(.audio, at: $0, [0xaf, 1] + [UInt8](repeating: 1, count: 500))
    }
    var calls: [Int] = []
    let client = Client(rig, Rig.address(rig.port)) { link, event in
      guard case .state(.running) = event else { return }
      for _ in 0..<3 {
        let before = link.systemCalls
        #expect(throws: Never.self) { try link.send(tags) }
        calls.append(link.systemCalls - before)
      }
      link.end()
    }
    rig.run { client.isEnded && rig.received.count == 60 }
    #expect(calls == [1, 1, 1])
    #expect(client.error == nil)
  }

  @Test func `it refuses those beyond the limit, with a reason, and takes others after`() throws {
    let rig = try Rig()
    var options = ListenerOptions()
    options.maxConnections = 2
    try rig.listen("127.0.0.1", options)
    let address = Rig.address(rig.port)
    let first = [Client(rig, address), Client(rig, address)]
    rig.run { first.allSatisfy { $0.states.last == .running } }
    let third = Client(rig, address)
    rig.run { third.isEnded }
    #expect(third.error?.code == "NetConnection.Connect.Rejected")
    #expect(third.error?.detail.contains("at most 2 connections") == true)
    #expect(rig.requests.count == 2)
    try first[0].link.end()
    rig.run { rig.listener?.connections == 1 }
    let fourth = Client(rig, address)
    rig.run { fourth.states.last == .running }
    #expect(!first[1].isEnded)
  }

  @Test func `it takes 200 publishers at once and loses nothing`() throws {
    let rig = try Rig()
    try rig.listen()
    let address = Rig.address(rig.port)
    let frames = 25
    var counts: [Int: Int] = [:]
    var wrong = 0
    rig.onServer = { link, event in
      guard case .tag(let tag) = event else { return }
      let number = counts[link.id, default: 0]
      if tag.time != Int64(number) * 40 || tag.data.count != 10_000 { wrong += 1 }
      counts[link.id] = number + 1
    }
    rig.keepsTags = false
    let frame = [0xa1] + [UInt8](repeating: 7, count: 9_999)
    var clients: [Client] = []
    for _ in 0..<200 {
      clients.append(
        Client(rig, address) { link, event in
          guard case .state(.running) = event else { return }
          var sent = 0
          // Not all at once: each on its own clock.
          func next() {
            let tag = Tags.sample(.video, at: Int64(sent) * 40, frame)
            #expect(throws: Never.self) { try link.send([tag]) }
            sent += 1
            if sent == frames { link.end() } else { rig.loop.after(1_000_000) { next() } }
          }
          next()
        })
    }
    rig.run { rig.serverEnds.count == 200 && clients.allSatisfy { $0.isEnded } }
    #expect(counts.count == 200)
    #expect(counts.values.allSatisfy { $0 == frames })
    #expect(wrong == 0)
    #expect(clients.allSatisfy { $0.error == nil })
  }

  @Test func `it cannot listen where another listens, and says so`() throws {
    let rig = try Rig()
    try rig.listen()
    let error = #expect(throws: TransportError.self) {
      _ = try Listener(
        host: "127.0.0.1", port: rig.port, ServerConfiguration(), on: rig.loop, { _, _ in })
    }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.description.contains("127.0.0.1:\(rig.port)") == true)
  }

  @Test(arguments: [false, true])
  func `it is kept while it is open, and let go at its end`(isAborted: Bool) throws {
    let rig = try Rig()
    try rig.listen()
    weak var link: ClientLink?
    var hasEnded = false
    func open() {
      let opened = ClientLink(
        ClientConfiguration(Rig.address(rig.port), for: .publish), on: rig.loop
      ) { link, event in
        if case .state(.running) = event {
          if isAborted { link.abort() } else { link.end() }
        }
        if case .ended = event { hasEnded = true }
      }
      link = opened
      opened.open()
    }
    open()
    #expect(link != nil)
    rig.run { rig.serverEnds.count == 1 }
    // What the server's end set off at the client.
    rig.loop.after(60_000_000_000) { rig.loop.stop() }
    func wait() { if link == nil { rig.loop.stop() } else { rig.loop.after(1_000_000) { wait() } } }
    wait()
    rig.loop.run()
    #expect(link == nil)
    #expect(hasEnded == !isAborted)
    weak let served = rig.links.removeLast()
    #expect(served == nil)
  }

  @Test func `it ends where a tag cannot be read, and goes on where one is too large`() throws {
    let rig = try Rig()
    try rig.listen()
    let large = OutgoingTag(.video, time: 0, head: [], payload: Extent(Broken(), 0..<1 << 24))
    let broken = OutgoingTag(.video, time: 1, head: [], payload: Extent(Broken(), 0..<100_000))
    let client = Client(rig, Rig.address(rig.port)) { link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: SessionError.self) { try link.send([Tags.few[1], large]) }
      #expect(throws: Never.self) { try link.send([Tags.few[2]]) }
      #expect(throws: SessionError.self) { try link.send([Tags.few[4], broken, Tags.few[2]]) }
    }
    rig.run { client.isEnded && rig.serverEnds.count == 1 }
    #expect(client.error?.detail.contains("the disk is gone") == true)
    #expect(rig.received.map(\.data) == (try Tags.bytes([1, 2, 4].map { Tags.few[$0] })))
  }
}

/// A source that cannot be read.
private final class Broken: ByteSource {
  let count = 1 << 24
  let resident: [UInt8]? = nil

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    throw SyntaxError(.io, field: "", offset: 0, detail: "the disk is gone")
  }
}
