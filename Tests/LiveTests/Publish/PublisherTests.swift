// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import FLV
import HEVC
import RTMP
import Testing

@testable import ApusLive

@Suite struct PublisherTests {
  private let url = "rtmp://a.example.org/live/key"
  private let other = "rtmp://b.example.org/live/key"

  /// Pictures every 40 ms, a key frame each second, sound every 20 ms.
  private func items(seconds: Int64, size: Int = 100) -> [StreamItem] {
    (0..<seconds * 50).map { index in
      if index % 2 == 1 { return Handmade.sound(index * 20) }
      let type: NALUnitType = index % 50 == 0 ? .idrWRADL : index % 4 == 0 ? .trailR : .trailN
      return Handmade.item(type, index * 20, size: size)
    }
  }

  private func network(
    _ items: [StreamItem], _ urls: [String]? = nil, pace: Pacer.Mode = .paced(speed: 1),
    _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> SimulatedNetwork {
    var options = PublishOptions()
    change(&options)
    return try SimulatedNetwork(Handmade.tracks(), items, urls ?? [url], options, pace)
  }

  @Test func `it sends each sample at its time, and ends in order`() throws {
    let network = try network(items(seconds: 3))
    network.run(to: 10_000)
    #expect(network.isFinished)
    #expect(network.outcome == nil)
    #expect(network.times(1) == Array(stride(from: 0, to: 3000, by: 40)))
    #expect(network.times(1, .audio) == Array(stride(from: 20, to: 3000, by: 40)))
    for (time, departure) in network.departures {
      #expect(departure / 1_000_000 == time + 50)
    }
    let tags = try #require(network.sent[1])
    #expect(tags.prefix(3).map(\.type) == [.script, .video, .audio])
    #expect(tags.prefix(3).allSatisfy { $0.isSetup })
    #expect(tags.last?.head == [0x92] + Array("hvc1".utf8))
    #expect(network.ended == [1])
  }

  @Test func `it sends payloads as they are`() throws {
    let items = items(seconds: 2)
    let network = try network(items, pace: .unpaced)
    network.run(to: 1000)
    let sent = try #require(network.sent[1]).filter { !$0.isSetup }
    #expect(sent.count == items.count)
    for (tag, item) in zip(sent, items) {
      guard case .sample(let sample) = item.event else { continue }
      #expect(tag.payload == sample.payload)
    }
    // Nothing waits for the clock.
    #expect(network.departures.values.allSatisfy { $0 == 50_000_000 })
  }

  @Test func `it goes on at a key frame with times that only rise when the server dies`() throws {
    let network = try network(items(seconds: 20))
    network.after(4560, 1, .ended("reset by peer", isFinal: false))
    network.run(to: 60_000)
    #expect(network.outcome == nil)
    #expect(network.opened.map(\.id) == [1, 2])
    let (before, after) = (network.times(1), network.times(2))
    #expect(before.first == 0)
    #expect(after.last == 19_960)
    #expect(zip(before + after, (before + after).dropFirst()).allSatisfy { $0 < $1 })
    // Lost at 4510 of the stream; a connection again 0.75 s and 50 ms later, which is 5310: the key frame at 5000
    // waits still, and is sent at once.
    #expect(before.last == 4480)
    #expect(after.first == 5000)
    #expect(network.departures[5000] == 5_360_000_000)
    // The second recording has its own beginning, at the time that it goes on.
    let opening = try #require(network.sent[2]).prefix(3)
    #expect(opening.allSatisfy { $0.isSetup && $0.time == 5000 })
    #expect(network.times(2, .audio).first == 5020)
    let lost = network.events.compactMap { entry -> Int? in
      if case .dropped(let drop) = entry.event, drop.kind == .outage { drop.samples } else { nil }
    }
    #expect(
      lost.reduce(0, +) == 1000 - before.count - after.count - network.times(1, .audio).count
        - network.times(2, .audio).count)
  }

  /// Longer than milliseconds of 32 bits count: 49.7 days.
  @Test func `it keeps time for sixty days, with an outage each day`() throws {
    let (step, days) = (Int64(30_000), Int64(60))
    let end = days * 86_400_000
    let items = stride(from: 0, to: end, by: Int64.Stride(step)).flatMap { time in
      [Handmade.item(.idrWRADL, time), Handmade.sound(time + step / 2)]
    }
    let network = try network(items) { $0.retries = .max }
    for day in 0..<days {
      // From noon on nobody answers for as many minutes as there were days.
      network.run(to: day * 86_400_000 + 43_200_000)
      network.server.delay = nil
      let connection = try #require(network.opened.last).id
      network.after(0, connection, .ended("reset by peer", isFinal: false))
      network.run(to: day * 86_400_000 + 43_200_000 + (day + 1) * 60_000)
      network.server.delay = 50_000_000
    }
    network.run(to: end + 60_000)
    #expect(network.isFinished)
    #expect(network.outcome == nil)
    #expect(network.sent.count == Int(days) + 1)
    let connections = network.sent.keys.sorted()
    let times = connections.flatMap { network.times($0) }
    let sounds = connections.flatMap { network.times($0, .audio) }
    for times in [times, sounds] {
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try #require(times.last) > 1 << 32)
    }
    #expect(times.last == end - step)
    // A picture is sent at its time, but for the one that waited for the connection.
    let late = times.filter { network.departures[$0].map { $0 / 1_000_000 } != $0 + 50 }
    #expect(late.count <= Int(days))
    // An outage takes what lies in it, and not more than the wait before the next attempt.
    let missing = Set(stride(from: 0, to: end, by: Int64.Stride(step))).subtracting(times)
    #expect(
      missing.allSatisfy { time in
        let (day, inDay) = time.quotientAndRemainder(dividingBy: 86_400_000)
        return (43_200_000 - 50...43_200_000 + (day + 1) * 60_000 + 35_000).contains(inDay)
      })
    let dropped = network.events.reduce(0) { count, entry in
      if case .dropped(let drop) = entry.event { count + drop.samples } else { count }
    }
    #expect(dropped == items.count - times.count - sounds.count)
  }

  @Test func `it waits longer after each failure, goes to the backup, and gives up`() throws {
    let network = try network(items(seconds: 400), [url, other])
    network.run(to: 1000)
    network.server.delay = nil
    network.after(0, 1, .ended("reset by peer", isFinal: false))
    network.run(to: 1_000_000)
    let attempts = network.opened.dropFirst()
    #expect(attempts.map(\.host.first) == Array("aabbbaaabb").map { $0 })
    let waits = zip(network.opened.dropFirst(), network.opened.dropFirst(2)).map {
      ($1.time - $0.time) / 1_000_000
    }
    #expect(waits == [1500, 3000, 6000, 12000, 22500, 22500, 22500, 22500, 22500])
    #expect(network.outcome?.kind == .io)
    #expect(network.outcome?.detail.contains("connection refused") == true)
  }

  @Test func `it tries each address once at first, unless it is told to wait`() throws {
    for waits in [false, true] {
      var options = PublishOptions()
      options.waitsForServer = waits
      options.retries = 4
      let network = try SimulatedNetwork(
        Handmade.tracks(), items(seconds: 1), [url, other], options)
      network.servers = ["a.example.org": .init(delay: nil), "b.example.org": .init(delay: nil)]
      // The first attempt was answered before the server was known to be away.
      network.after(10, 1, .ended("connection refused", isFinal: false))
      network.run(to: 100_000)
      #expect(network.outcome != nil)
      #expect(network.opened.count == (waits ? 5 : 2))
    }
  }

  @Test func `it does not go on asking a server that says no for good`() throws {
    let network = try network(items(seconds: 1))
    network.after(10, 1, .ended("wrong user or password", isFinal: true))
    network.run(to: 100_000)
    #expect(network.opened.count == 1)
    #expect(network.outcome?.detail == "wrong user or password")
  }

  @Test func `it follows the server elsewhere at the next key frame`() throws {
    let network = try network(items(seconds: 5))
    let target = try Address(other)
    network.after(1300, 1, .moveTo(target, isNow: false))
    network.run(to: 20_000)
    #expect(network.outcome == nil)
    #expect(network.opened.map(\.host) == ["a.example.org", "b.example.org"])
    #expect(network.times(1) == Array(stride(from: 0, to: 2000, by: 40)))
    #expect(network.times(2) == Array(stride(from: 2000, to: 5000, by: 40)))
    #expect(
      network.times(1, .audio) + network.times(2, .audio)
        == Array(stride(from: 20, to: 5000, by: 40)))
    #expect(network.sent[1]?.last?.head == [0x92] + Array("hvc1".utf8))
    #expect(network.ended == [1, 2])
  }

  @Test func `it stays where it is when the other server does not answer`() throws {
    let network = try network(items(seconds: 5))
    network.servers["b.example.org"] = .init(delay: nil)
    network.after(1300, 1, .moveTo(try Address(other), isNow: false))
    network.run(to: 20_000)
    #expect(network.times(1) == Array(stride(from: 0, to: 5000, by: 40)))
    #expect(
      network.events.contains { if case .warning = $0.event { true } else { false } })
  }

  @Test func `it ends in order when it is stopped`() throws {
    let network = try network(items(seconds: 50))
    network.run(to: 1000)
    network.stop()
    network.run(to: 2000)
    #expect(network.isFinished)
    #expect(network.outcome == nil)
    #expect(network.sent[1]?.last?.head == [0x92] + Array("hvc1".utf8))
    #expect(network.ended == [1])
  }

  @Test func `it leaves pictures out on a slow connection, never sound, and stays on time`() throws
  {
    // 25 pictures of 4000 bytes a second; the connection takes 60 000 bytes.
    let network = try network(items(seconds: 60, size: 4000))
    network.speed = 60_000
    network.run(to: 120_000)
    #expect(network.outcome == nil)
    #expect(network.times(1, .audio) == Array(stride(from: 20, to: 60_000, by: 40)))
    let kinds = network.publisher.statistics.drops
    #expect(kinds[.nonReference, default: 0] > 400)
    #expect(kinds[.dependent] == nil)
    #expect(kinds[.outage] == nil)
    // What waits when the input has ended is sent, however long that takes.
    for (time, departure) in network.departures where time < 58_000 {
      #expect(departure / 1_000_000 - time < 2500)
    }
  }

  @Test func `it sends no picture that refers to one left out`() throws {
    // Everything is referred to, so whole rests of groups go.
    let items = (0..<1500).map { index in
      Handmade.item(index % 25 == 0 ? .idrWRADL : .trailR, Int64(index) * 40, size: 4000)
    }
    let network = try network(items)
    network.speed = 40_000
    network.run(to: 200_000)
    let times = network.times(1)
    #expect(times.count > 400)
    for (before, time) in zip(times, times.dropFirst()) {
      #expect(time % 1000 == 0 || time == before + 40)
    }
  }

  @Test func `it sends live input as it comes, and holds back what comes faster than it plays`()
    throws
  {
    // A whole file, written into a pipe at once, in front of a connection that is a little faster than real time.
    let network = try network(items(seconds: 60, size: 4000), pace: .live)
    network.speed = 150_000
    network.run(to: 120_000)
    #expect(network.outcome == nil)
    #expect(network.publisher.statistics.dropped == 0)
    #expect(network.times(1).count == 1500)
    #expect(network.now < 50_000_000_000)
  }

  @Test(arguments: [(2000 as Int64, true, true), (2000, false, false), (5000, true, false)])
  func `it begins with what a pipe has first when the server answers within three seconds`(
    _ delay: Int64, _ canWait: Bool, _ isWhole: Bool
  ) throws {
    var options = PublishOptions()
    options.queue.duration = .seconds(1)
    let server = SimulatedNetwork.Server(delay: delay * 1_000_000)
    let network = try SimulatedNetwork(
      Handmade.tracks(), items(seconds: 10), [url], options, .live, waits: canWait,
      server: server)
    network.run(to: 60_000)
    #expect(network.outcome == nil)
    #expect((network.times(1).first == 0) == isWhole)
    #expect((network.publisher.statistics.dropped == 0) == isWhole)
    #expect((network.times(1).count == 250) == isWhole)
  }

  @Test func `a pipe does not wait for a server that cannot be reached`() throws {
    var options = PublishOptions()
    options.waitsForServer = true
    let network = try SimulatedNetwork(
      Handmade.tracks(), items(seconds: 10), [url], options, .live, waits: true,
      server: .init(delay: nil))
    network.run(to: 500)
    #expect(network.publisher.statistics.queuedTime >= .milliseconds(400))
  }

  @Test func `it thins live input that a connection is too slow for`() throws {
    let network = try network(items(seconds: 60, size: 4000), pace: .live)
    network.speed = 60_000
    network.run(to: 120_000)
    #expect(network.outcome == nil)
    #expect(network.publisher.statistics.drops[.nonReference, default: 0] > 300)
    #expect(network.times(1, .audio).count == 1500)
  }

  @Test func `it announces parameter sets that change`() throws {
    var items = items(seconds: 2)
    var record = try Handmade.record()
    record.generalLevelIDC = 183
    items.insert(StreamItem(.format(track: 0, .hevc(record))), at: 50)
    let network = try network(items)
    network.run(to: 5000)
    let tags = try #require(network.sent[1])
    let end = try #require(tags.firstIndex { $0.head == [0x92] + Array("hvc1".utf8) })
    #expect(tags[end + 1].type == .script)
    #expect(tags[(end + 2)...].first?.head.first == 0x90)
    let configuration = try tags[end + 2].payload.bytes()
    #expect(configuration[12] == 183)
    #expect(tags[end + 3].time == 1000)
    #expect(tags[end...(end + 2)].allSatisfy { (960...1000).contains($0.time) })
  }

  @Test func `it asks for a dialect where the server says nothing`() throws {
    let network = try network(items(seconds: 1))
    network.servers["a.example.org"] = .init(facts: ServerFacts())
    network.run(to: 10)
    network.after(0, 1, .running(ServerFacts()))
    network.run(to: 5000)
    #expect(network.outcome?.kind == .misuse)
    #expect(network.sent[1] == nil)
    #expect(network.ended == [1])
  }

  // MARK: - Several tracks of a kind

  /// Two tracks of video and two of sound, those with key frames a second apart that are not the same.
  private func manyItems(seconds: Int64) -> [StreamItem] {
    (0..<seconds * 25).flatMap { index in
      let time = index * 40
      return [
        Handmade.item(index % 25 == 0 ? .idrWRADL : .trailR, time),
        Handmade.item(index % 25 == 10 ? .idrWRADL : .trailR, time, track: 2),
        Handmade.sound(time + 10), Handmade.sound(time + 10, track: 3),
      ]
    }
  }

  private func many(
    _ extras: Capabilities.Extras, _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> SimulatedNetwork {
    var options = PublishOptions()
    change(&options)
    var server = SimulatedNetwork.Server()
    server.facts.capabilities?.extras = extras
    return try SimulatedNetwork(
      Handmade.manyTracks(), manyItems(seconds: 4), [url], options, server: server)
  }

  private func warnings(_ network: SimulatedNetwork) -> [String] {
    network.events.compactMap { if case .warning(let words) = $0.event { words } else { nil } }
  }

  /// How many frames of each track a connection was sent, in the wire's form: multitrack has the packet type 6 of
  /// video and 5 of sound, then the kind of packet, the codec, and the number of the track.
  private func counts(_ tags: [OutgoingTag]) -> [String: Int] {
    tags.filter { !$0.isSetup }.reduce(into: [:]) { counts, tag in
      let isVideo = tag.type == .video
      let first = tag.head[0]
      let isEnhanced = isVideo ? first & 0x80 != 0 : first >> 4 == 9
      let isMultitrack = isEnhanced && first & 15 == (isVideo ? 6 : 5)
      counts["\(isVideo ? "v" : "a")\(isMultitrack ? tag.head[6] : 0)", default: 0] += 1
    }
  }

  @Test func `it sends every track to a server that announces multitrack`() throws {
    let network = try many([.multitrack])
    network.run(to: 10_000)
    #expect(network.outcome == nil)
    let sent = try #require(network.sent[1])
    // The second track of video begins with its own first key frame.
    #expect(counts(sent) == ["v0": 100, "v1": 90, "a0": 100, "a1": 100])
    #expect(warnings(network) == ["tx3g subtitles cannot be stored in FLV and is left out"])
    let metadata = AMFMessage(sent[0].head, at: 0, limits: Limits()).values[1]
    for (map, codec) in [
      ("videoTrackIdInfoMap", 0x6876_6331), ("audioTrackIdInfoMap", 0x6d70_3461),
    ] {
      let track = try #require(metadata[map]?["1"])
      let code = track["videocodecid"]?.number ?? track["audiocodecid"]?.number
      #expect(code.map { Int($0) } == codec)
    }
  }

  @Test func `it says what it leaves out for a server that does not announce multitrack`() throws {
    for isLegacy in [false, true] {
      let network = try many(isLegacy ? [.multitrack] : []) {
        $0.dialect = isLegacy ? .legacy : .auto
      }
      network.run(to: 10_000)
      #expect(counts(try #require(network.sent[1])) == ["v0": 100, "a0": 100])
      let said = warnings(network).dropFirst()
      #expect(said.count == 2)
      let reason = isLegacy ? "the legacy dialect has one" : "the server does not announce"
      for (words, name) in zip(said, ["HEVC video (v:1)", "AAC audio (a:1)"]) {
        #expect(words.hasPrefix("\(name) is left out: \(reason)"))
      }
    }
  }

  @Test func `it sends every track to any server where that is asked for`() throws {
    let network = try many([]) { $0.forcesMultitrack = true }
    network.run(to: 10_000)
    #expect(counts(try #require(network.sent[1])).count == 4)
    #expect(warnings(network).count == 1)
  }

  @Test func `it goes on with a key frame in each track when the server dies`() throws {
    let network = try many([.multitrack])
    network.after(1560, 1, .ended("reset by peer", isFinal: false))
    network.run(to: 60_000)
    #expect(network.outcome == nil)
    let again = try #require(network.sent[2]).filter { $0.type == .video && !$0.isSetup }
    let isFurther = { (tag: OutgoingTag) in tag.head[0] & 15 == 6 }
    let (first, second) = (again.first { !isFurther($0) }, again.first(where: isFurther))
    #expect(first?.isKey == true && first?.time == again.first?.time)
    #expect(second?.isKey == true)
  }
}

@Suite struct DialectChoiceTests {
  private func facts(_ codecs: [String]?, isNginx: Bool = false) -> ServerFacts {
    var own = Capabilities()
    own.codecs = codecs ?? []
    return ServerFacts(capabilities: codecs == nil ? nil : own, isNginx: isNginx)
  }

  @Test func `it takes enhanced only where the server says so`() throws {
    #expect(try DialectChoice.auto.dialect(facts(["hvc1"])).0 == .enhanced)
    #expect(try DialectChoice.auto.dialect(facts(["*"])).0 == .enhanced)
    for server in [facts(nil), facts(["avc1"]), facts(nil, isNginx: true)] {
      #expect(throws: MediaError.self) { try DialectChoice.auto.dialect(server) }
    }
  }

  @Test func `it does what it is told, and says what nginx makes of it`() throws {
    let enhanced = try DialectChoice.enhanced.dialect(facts(nil, isNginx: true))
    #expect(enhanced.0 == .enhanced)
    #expect(enhanced.warning?.contains("drops the video") == true)
    #expect(try DialectChoice.enhanced.dialect(facts(nil)).warning == nil)
    #expect(try DialectChoice.legacy.dialect(facts(nil, isNginx: true)).0 == .legacy)
  }
}
