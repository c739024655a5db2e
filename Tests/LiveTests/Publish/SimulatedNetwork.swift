// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import FLV
import HEVC
import RTMP
import Testing

@testable import ApusLive
@testable import ApusSamples

/// Drives a publisher with a clock that jumps, a source that a test lists, and servers that do what a test says.
final class SimulatedNetwork {
  /// What a server that takes a stream makes of it.
  struct Server {
    /// Nanoseconds from the request for a connection to the server's yes; `nil` refuses.
    var delay: Int64? = 50_000_000
    var facts: ServerFacts = {
      var own = Capabilities()
      own.codecs = ["hvc1"]
      return ServerFacts(capabilities: own)
    }()
  }

  var publisher: Publisher
  var now: Int64 = 0
  private(set) var events: [(time: Int64, event: PublishEvent)] = []
  /// What each connection was sent, by its number.
  private(set) var sent: [Int: [OutgoingTag]] = [:]
  private(set) var opened: [(id: Int, host: String, time: Int64)] = []
  private(set) var ended: [Int] = []
  private(set) var aborted: [Int] = []
  private(set) var outcome: MediaError?
  private(set) var isFinished = false
  /// The machine's time at which each video frame was sent, by the stream's.
  private(set) var departures: [Int64: Int64] = [:]
  var server: Server
  /// By host, where it is another.
  var servers: [String: Server] = [:]
  /// Bytes a second; `nil` for no limit.
  var speed: Int?
  private var unsent = 0.0
  private var entries: Queue<StreamEntry>
  private var schedule: StreamSchedule
  private var inputs: [(time: Int64, id: Int, input: LinkInput)] = []

  init(
    _ tracks: [CodedTrack], _ items: [StreamItem], _ urls: [String],
    _ options: PublishOptions = PublishOptions(), _ pace: Pacer.Mode = .paced(speed: 1),
    waits: Bool = false, server: Server = Server()
  ) throws {
    self.server = server
    publisher = try Publisher(
      tracks, to: urls.map { try Address($0) }, options, MediaDetails(),
      isUnpaced: pace == .unpaced, random: Counting())
    entries = Queue(items.map { .item($0) } + [.end(.complete)])
    schedule = StreamSchedule(pace)
    if waits { schedule.waitAtStart(at: 0) }
    perform(publisher.start())
  }

  /// Jumps half way: the chance in delays is gone.
  struct Counting: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { 1 << 63 }
  }

  func after(_ milliseconds: Int64, _ id: Int, _ input: LinkInput) {
    inputs.append((now + milliseconds * 1_000_000, id, input))
  }

  func stop() { perform(publisher.stop(at: now)) }

  /// Runs up to a time of the machine, in milliseconds.
  func run(to end: Int64) {
    let end = end * 1_000_000
    turn()
    while !isFinished {
      let wakes = [
        publisher.nextWake(), schedule.nextWake(targets), inputs.map(\.time).min(), drain(),
      ].compactMap(\.self)
      guard let next = wakes.min(), next <= end else { break }
      pass(to: max(next, now))
      while let index = inputs.firstIndex(where: { $0.time <= now }) {
        let due = inputs.remove(at: index)
        perform(publisher.react(to: due.input, of: due.id, at: now))
      }
      turn()
    }
    if !isFinished { pass(to: max(end, now)) }
  }

  /// When a slow connection has taken what it holds.
  private func drain() -> Int64? {
    guard let speed, speed > 0, unsent > 0 else { return nil }
    return now + Int64(unsent / Double(speed) * 1e9) + 1
  }

  private func pass(to time: Int64) {
    if let speed {
      unsent = max(0, unsent - Double(time - now) / 1e9 * Double(speed))
    } else {
      unsent = 0
    }
    now = time
  }

  private var targets: StreamSchedule.Targets {
    StreamSchedule.Targets(
      isRunning: publisher.isRunning, isOpening: publisher.isOpening,
      hasRoom: publisher.isRunning && publisher.hasRoom)
  }

  private func turn() {
    var isAgain = true
    while isAgain, !isFinished {
      isAgain = false
      while let entry = next() {
        isAgain = true
        switch entry {
        case .item(let item): publisher.offer(item)
        case .end(let end): publisher.offerEnd(end)
        }
      }
      perform(publisher.advance(at: now, unsent: Int(unsent.rounded(.up))))
    }
  }

  private func next() -> StreamEntry? {
    do {
      return try schedule.take(from: &entries, targets, at: now)
    } catch {
      return .end(.failed(MediaError(error)))
    }
  }

  private func perform(_ actions: [PublishAction]) {
    for action in actions {
      switch action {
      case .open(let id, let configuration):
        let host = configuration.address.host
        opened.append((id, host, now))
        unsent = 0
        let server = servers[host] ?? server
        if let delay = server.delay {
          inputs.append((now + delay, id, .running(server.facts)))
        } else {
          inputs.append((now, id, .ended("connection refused", isFinal: false)))
        }
      case .send(let id, let tags):
        sent[id, default: []] += tags
        if speed != nil { unsent += Double(tags.reduce(0) { $0 + $1.count }) }
        for tag in tags where tag.type == .video && !tag.isSetup { departures[tag.time] = now }
      case .end(let id):
        ended.append(id)
        inputs.append((now + 1_000_000, id, .ended(nil, isFinal: false)))
      case .abort(let id): aborted.append(id)
      case .report(let event): events.append((now, event))
      case .finish(let error):
        outcome = error
        isFinished = true
      }
    }
  }

  /// Times of the frames that a connection was sent, in order.
  func times(_ id: Int, _ type: TagType = .video) -> [Int64] {
    (sent[id] ?? []).filter { $0.type == type && !$0.isSetup }.map(\.time)
  }
}
