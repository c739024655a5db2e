// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusTransport
internal import FLV
internal import RTMP

/// Publishes a stream to one target of a broadcast over real connections, by carrying out the actions of a `Publisher`.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`.
final class PublishRun: BroadcastMember, @unchecked Sendable {
  /// The error with which the stream ended; meaningful once `onEnd` was called.
  private(set) var outcome: MediaError?
  var onEnd: () -> Void = {}
  var onTurn: () -> Void = {}
  /// The numbers of bytes and system calls of past connections.
  private var past = (bytes: 0, calls: 0)

  private var publisher: Publisher
  private let loop: EventLoop
  private let linkOptions: ClientOptions
  private let onEvent: (PublishEvent) -> Void
  private var links: [Int: ClientLink] = [:]
  /// The connection to which samples are sent.
  private var current: Int?
  private var timer: WakeTimer?
  private var isTurning = false
  private var isAgain = false
  /// The number of bytes that the connection had not sent when last asked, the number given to it since, and the time
  /// of asking.
  private var known = (unsent: 0, given: 0, time: Int64.min)

  /// The interval for asking the kernel, in nanoseconds: it takes a system call, which is wasteful as long as the
  /// kernel accepts everything.
  private static let askingInterval: Int64 = 1_000_000_000
  /// Below the smallest window, so that a connection that can take more reports it.
  private static let lowWater = 24 << 10
  /// The number of turns after which the loop may serve its sockets.
  private static let turnsAtOnce = 16

  init(
    _ publisher: consuming Publisher, _ linkOptions: ClientOptions, on loop: EventLoop,
    _ onEvent: @escaping (PublishEvent) -> Void
  ) {
    var linkOptions = linkOptions
    if !publisher.isUnpaced { linkOptions.notSentLowWater = Self.lowWater }
    self.publisher = publisher
    self.linkOptions = linkOptions
    self.loop = loop
    self.onEvent = onEvent
    timer = WakeTimer(on: loop) { [weak self] in self?.turn() }
  }

  var isRunning: Bool { publisher.isRunning }
  var isOpening: Bool { publisher.isOpening }
  var hasRoom: Bool { publisher.hasRoom }
  private var roundTrip: Duration? { current.flatMap { links[$0]?.roundTrip } }
  func state(id: Int) -> BroadcastState {
    BroadcastState(
      id: id, isRunning: isRunning, statistics: publisher.statistics, bytesSent: bytesSent,
      roundTrip: roundTrip)
  }
  private var bytesSent: Int { links.values.reduce(past.bytes) { $0 + $1.bytesSent } }
  var systemCalls: Int { links.values.reduce(past.calls) { $0 + $1.systemCalls } }

  func start() {
    perform(publisher.start())
    turn()
  }

  /// Ends the stream properly.
  func stop() {
    perform(publisher.stop(at: loop.now))
    turn()
  }

  func offer(_ item: StreamItem) { publisher.offer(item) }

  func offerEnd() { publisher.offerEnd(.complete) }

  func turn() {
    guard !isTurning else {
      isAgain = true
      return
    }
    isTurning = true
    let wake = advance()
    isTurning = false
    timer?.set(wake)
    onTurn()
  }

  /// Sends what can be sent. Returns the time of the next turn; `nil` for never.
  private func advance() -> Int64? {
    for _ in 0..<Self.turnsAtOnce {
      isAgain = false
      let now = loop.now
      perform(publisher.advance(at: now, unsent: unsent(at: now)))
      if isAgain { continue }
      // The data given since then may have filled the connection, which reports that it is drained only if it was
      // asked.
      guard publisher.isHeldBack, known.given > 0 else { return publisher.nextWake() }
      known.time = .min
    }
    return loop.now
  }

  private func unsent(at now: Int64) -> Int {
    guard let current, let link = links[current] else { return 0 }
    let isDue = now - Self.askingInterval >= known.time
    guard known.unsent > 0 || known.given > publisher.window / 2 || isDue else { return 0 }
    known = (link.unsent, 0, now)
    return known.unsent
  }

  private func perform(_ actions: [PublishAction]) {
    for action in actions {
      switch action {
      case .open(let id, let configuration): open(id, configuration)
      case .send(let id, let tags):
        guard let link = links[id] else { continue }
        if current != id {
          current = id
          known = (0, 0, .min)
        }
        known.given += tags.reduce(0) { $0 + $1.count }
        do throws(SessionError) {
          try link.send(tags)
        } catch {
          link.abort()
          forget(id)
          perform(
            publisher.react(to: .ended(error.detail, isFinal: false), of: id, at: loop.now))
        }
      case .end(let id): links[id]?.end()
      case .abort(let id):
        links[id]?.abort()
        forget(id)
      case .report(let event): onEvent(event)
      case .finish(let error): finish(error)
      }
    }
  }

  private func open(_ id: Int, _ configuration: ClientConfiguration) {
    let link = ClientLink(configuration, linkOptions, on: loop) { [weak self] link, event in
      self?.react(to: event, of: id, link)
    }
    links[id] = link
    link.open()
  }

  private func react(to event: ClientLinkEvent, of id: Int, _ link: ClientLink) {
    guard links[id] === link else { return }
    switch event {
    case .state(.running):
      let facts = ServerFacts(
        capabilities: link.session.serverCapabilities, isNginx: link.session.isNginx)
      perform(publisher.react(to: .running(facts), of: id, at: loop.now))
    case .status(let status):
      perform(publisher.react(to: .status(status), of: id, at: loop.now))
    case .moveTo(let address, let isNow):
      perform(publisher.react(to: .moveTo(address, isNow: isNow), of: id, at: loop.now))
    case .drained: if id == current { known.time = .min }
    case .ended(let error):
      forget(id)
      let isFinal = [.unauthorized, .address, .misuse].contains(error?.kind)
      perform(publisher.react(to: .ended(error?.detail, isFinal: isFinal), of: id, at: loop.now))
    case .state, .tag, .pong: return
    }
    turn()
  }

  private func forget(_ id: Int) {
    guard let link = links.removeValue(forKey: id) else { return }
    past.bytes += link.bytesSent
    past.calls += link.systemCalls
    if current == id { current = nil }
  }

  private func finish(_ error: MediaError?) {
    outcome = error
    onEnd()
  }
}
