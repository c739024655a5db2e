// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusTransport
import FLV
import HEVC
import RTMP
import Testing

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples

/// One stream to several servers of ours, on one loop.
@Suite struct BroadcastTests {
  /// A server that keeps the frames that each of its connections sends.
  private final class Recorder {
    private(set) var listener: Listener?
    private(set) var frames: [[ReceivedTag]] = []
    private var links: [ObjectIdentifier: Int] = [:]

    init(on loop: EventLoop) throws {
      listener = try Listener(host: "127.0.0.1", port: 0, ServerConfiguration(), on: loop) {
        [unowned self] link, event in
        switch event {
        case .request:
          links[ObjectIdentifier(link)] = frames.count
          frames.append([])
          link.accept()
        case .tag(let tag):
          let packet = Packet(tag.type, tag.data.span, data: 0..<tag.data.count)
          guard let index = links[ObjectIdentifier(link)], packet?.kind == .frames else { return }
          frames[index].append(tag)
        default: break
        }
      }
    }

    func target(_ id: Int) throws -> BroadcastTarget {
      try BroadcastTarget(
        id: id, [Address("rtmp://127.0.0.1:\(listener?.port ?? 0)/live/key")], Self.options)
    }

    static var options: PublishOptions {
      var options = PublishOptions()
      options.dialect = .enhanced
      options.waitsForServer = true
      return options
    }
  }

  private func items(_ count: Int) -> [StreamItem] {
    (0..<count).map { Handmade.item($0 % 10 == 0 ? .idrWRADL : .trailR, Int64($0) * 40) }
  }

  private func broadcast(_ loop: EventLoop, _ events: @escaping (Int, PublishEvent) -> Void) throws
    -> Broadcast
  {
    let broadcast = Broadcast(
      try Handmade.tracks(hasSound: false), MediaDetails(), .paced(speed: 4), on: loop, events)
    broadcast.onEnd = { loop.stop() }
    loop.after(300_000_000_000) { loop.stop() }
    return broadcast
  }

  @Test func `it sends the same to all, whoever of them does not answer`() throws {
    let loop = try EventLoop()
    let recorders = try [Recorder(on: loop), Recorder(on: loop)]
    // The kernel takes the connection, and nobody answers.
    let mute = try ListeningSocket.descriptor("127.0.0.1", 0)
    var dropped: Set<Int> = []
    let broadcast = try broadcast(loop) { id, event in
      if case .dropped = event { dropped.insert(id) }
    }
    var ended: [Int] = []
    broadcast.onTargetEnd = { id, error in
      ended.append(id)
      #expect((error == nil) == (id < 3 || id == 4))
      // The others are through.
      if ended.contains(1), ended.contains(2) { broadcast.remove(4) }
    }
    for (index, recorder) in recorders.enumerated() {
      try broadcast.add(recorder.target(index + 1))
    }
    var options = Recorder.options
    options.retries = 0
    try broadcast.add(BroadcastTarget(id: 3, [Address("rtmp://127.0.0.1:1/live/key")], options))
    try broadcast.add(
      BroadcastTarget(id: 4, [Address("rtmp://127.0.0.1:\(mute.port)/live/key")], options))
    broadcast.start(ListedSource(try Handmade.tracks(hasSound: false), items(100)))
    loop.run()
    #expect(ended.sorted() == [1, 2, 3, 4])
    #expect(!dropped.contains(1) && !dropped.contains(2))
    #expect(broadcast.sourceError == nil)
    for recorder in recorders {
      try #require(recorder.frames.count == 1)
      #expect(recorder.frames[0].map(\.time) == (0..<100).map { Int64($0) * 40 })
    }
    #expect(recorders[0].frames[0].map(\.data) == recorders[1].frames[0].map(\.data))
  }

  @Test(arguments: [Pacer.Mode.live, .paced(speed: 4)])
  func `an input that can wait does so for a target that has not answered yet`(_ pace: Pacer.Mode)
    throws
  {
    let loop = try EventLoop()
    let recorder = try Recorder(on: loop)
    let broadcast = Broadcast(
      try Handmade.tracks(hasSound: false), MediaDetails(), pace, on: loop
    ) { id, event in
      if id == 1, case .dropped = event { Issue.record("something was left out") }
    }
    broadcast.onEnd = { loop.stop() }
    loop.after(300_000_000_000) { loop.stop() }
    try broadcast.add(recorder.target(1))
    // The kernel takes the connection, and nobody answers.
    let mute = try ListeningSocket.descriptor("127.0.0.1", 0)
    try broadcast.add(
      BroadcastTarget(
        id: 2, [Address("rtmp://127.0.0.1:\(mute.port)/live/key")], Recorder.options))
    var given: [Int] = []
    loop.after(1_000_000_000) {
      given.append(recorder.frames.first?.count ?? 0)
      broadcast.remove(2)
    }
    broadcast.start(
      ListedSource(try Handmade.tracks(hasSound: false), items(100)), waits: true)
    let began = loop.now
    loop.run()
    #expect(given == [0])
    #expect(recorder.frames.first?.count == 100)
    // It went on when the target was gone, not only when its patience was at an end.
    if pace == .live { #expect(loop.now - began < 2_900_000_000) }
  }

  @Test func `a target that comes later begins at a key frame and at 0, one that goes ends alone`()
    throws
  {
    let loop = try EventLoop()
    let recorders = try [Recorder(on: loop), Recorder(on: loop), Recorder(on: loop)]
    let broadcast = try broadcast(loop) { _, _ in }
    var ended: [Int] = []
    broadcast.onTargetEnd = { id, error in
      #expect(error == nil)
      ended.append(id)
    }
    try broadcast.add(recorders[0].target(1))
    try broadcast.add(recorders[1].target(2))
    loop.after(300_000_000) {
      do { try broadcast.add(recorders[2].target(3)) } catch { Issue.record("\(error)") }
      broadcast.remove(2)
    }
    broadcast.start(ListedSource(try Handmade.tracks(hasSound: false), items(150)))
    loop.run()
    #expect(ended.first == 2)
    #expect(ended.sorted() == [1, 2, 3])
    #expect(recorders[0].frames.first?.count == 150)
    let gone = try #require(recorders[1].frames.first)
    #expect((1..<150).contains(gone.count))
    let late = try #require(recorders[2].frames.first)
    #expect((1..<150).contains(late.count))
    #expect(late.count % 10 == 0)
    #expect(late.map(\.time) == late.indices.map { Int64($0) * 40 })
  }

  @Test func `what is pushed faster than it is played waits where a server has no room`() throws {
    let loop = try EventLoop()
    let recorder = try Recorder(on: loop)
    let broadcast = Broadcast(
      try Handmade.tracks(hasSound: false), MediaDetails(), .live, on: loop
    ) { _, event in
      if case .dropped = event { Issue.record("something was left out") }
    }
    broadcast.onEnd = { loop.stop() }
    var holds: [Bool] = []
    broadcast.onHold = { holds.append($0) }
    try broadcast.add(recorder.target(1))
    // More seconds than a queue holds, before there is a connection.
    for index in 0..<100 {
      broadcast.push(
        Handmade.item(index % 10 == 0 ? .idrWRADL : .trailR, Int64(index) * 40, size: 30_000))
    }
    #expect(holds == [true])
    broadcast.onHold = {
      holds.append($0)
      if !$0 { broadcast.finish() }
    }
    loop.after(300_000_000_000) { loop.stop() }
    loop.run()
    #expect(holds == [true, false])
    #expect(recorder.frames.first?.count == 100)
  }

  @Test func `a tag is made once for all connections of one dialect`() throws {
    let tracks = try Handmade.tracks()
    func options(_ dialect: HEVCDialect) -> Packetizer.Options {
      var options = Packetizer.Options()
      options.dialect = dialect
      return options
    }
    func tags(_ dialect: HEVCDialect) throws -> StreamTags {
      try StreamTags(FLVPlacement(tracks, dialect), options(dialect), repeats: false)
    }
    func sample(_ item: StreamItem) throws -> CodedSample {
      guard case .sample(let sample) = item.event else { throw MediaError(.misuse, "no sample") }
      return sample
    }
    let shared = SharedTags()
    let picture = try sample(Handmade.item(.trailR, 40))
    var (first, second, other) = try (tags(.enhanced), tags(.enhanced), tags(.legacy))
    let own = try #require(try first.tags(of: picture, sharing: shared).first)
    // What the second connection sends is what lies there.
    let form = try #require(
      SharedTags.Form(of: picture, FLVPlacement(tracks, .enhanced), options(.enhanced)))
    var marked = own
    marked.head[0] = 0xee
    let marks = SharedTags()
    marks[form] = marked
    var moved = picture
    moved.decodeTime = .milliseconds(1040)
    moved.presentationTime = .milliseconds(1040)
    let taken = try #require(try second.tags(of: moved, sharing: marks).first)
    #expect(taken.head == marked.head)
    #expect(taken.time == 1040)
    // A picture that is shown later than it is decoded has another head; so has one of another dialect.
    moved.presentationTime = .milliseconds(1080)
    #expect(try second.tags(of: moved, sharing: marks).first?.head[0] != 0xee)
    #expect(try other.tags(of: picture, sharing: marks).first?.head[0] != 0xee)
    // A key frame may change the configuration, so that each connection reads it.
    let key = try sample(Handmade.item(.idrWRADL, 80))
    let keys = SharedTags()
    #expect(try first.tags(of: key, sharing: keys).count == 1)
    #expect(keys[form] == nil)
  }
}
