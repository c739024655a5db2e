// SPDX-License-Identifier: MIT

internal import FLV
public import Media
internal import RTMP
public import Transport

/// Publishes the items of a feed over real connections by carrying out the actions of a `Publisher`.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`.
public final class PublishRun: @unchecked Sendable {
  /// The error with which the stream ended; meaningful once `onEnd` was called.
  public private(set) var outcome: MediaError?
  /// Called once at the end.
  public var onEnd: () -> Void = {}
  /// The numbers of bytes and system calls of past connections.
  private var past = (bytes: 0, calls: 0)

  private var publisher: Publisher
  private let feed: any ItemSource
  /// The items taken from the feed, and the index of the first that was not offered yet.
  private var items: [StreamItem] = []
  private var nextItem = 0
  private let loop: EventLoop
  private let linkOptions: ClientOptions
  private let onEvent: (PublishEvent) -> Void
  private var links: [Int: ClientLink] = [:]
  /// The connection to which samples are sent.
  private var current: Int?
  private var timer: TimerID?
  private var timerTime: Int64?
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

  public init(
    _ publisher: consuming Publisher, _ feed: any ItemSource, _ linkOptions: ClientOptions,
    on loop: EventLoop, _ onEvent: @escaping (PublishEvent) -> Void
  ) {
    var linkOptions = linkOptions
    if publisher.options.pace != .unpaced { linkOptions.notSentLowWater = Self.lowWater }
    self.publisher = publisher
    self.feed = feed
    self.linkOptions = linkOptions
    self.loop = loop
    self.onEvent = onEvent
  }

  public var statistics: PublishStatistics { publisher.statistics }
  /// Whether a server is currently accepting the stream.
  public var isRunning: Bool { publisher.isRunning }
  /// Whether the first attempt to connect has neither succeeded nor failed.
  var isOpening: Bool { publisher.isOpening }
  /// Whether the queue takes more without being about to drop something.
  var hasRoom: Bool { publisher.queueHasRoom }
  public var roundTrip: Int64? { current.flatMap { links[$0]?.roundTrip } }
  /// Returns its state as one of several targets.
  public func state(id: Int) -> BroadcastState {
    BroadcastState(
      id: id, isRunning: isRunning, statistics: statistics, bytesSent: bytesSent,
      roundTrip: roundTrip)
  }
  public var bytesSent: Int { links.values.reduce(past.bytes) { $0 + $1.bytesSent } }
  public var systemCalls: Int { links.values.reduce(past.calls) { $0 + $1.systemCalls } }

  public func start() {
    perform(publisher.start(at: loop.now))
    turn()
  }

  /// Ends the stream properly.
  public func stop() {
    perform(publisher.stop(at: loop.now))
    turn()
  }

  /// Continues after the feed has something, or time has passed.
  public func turn() {
    guard !isTurning else {
      isAgain = true
      return
    }
    isTurning = true
    defer { isTurning = false }
    for _ in 0..<Self.turnsAtOnce {
      isAgain = false
      var isDry = false
      var now = loop.now
      while publisher.wantsItem {
        if nextItem == items.count { (items, nextItem) = (feed.take(), 0) }
        guard nextItem < items.count else {
          if let end = feed.end { publisher.offerEnd(end) } else { isDry = true }
          break
        }
        nextItem += 1
        publisher.offer(items[nextItem - 1], at: now)
      }
      now = loop.now
      perform(publisher.advance(at: now, unsent: unsent(at: now)))
      if publisher.isFinished { return }
      guard isDry || !publisher.wantsItem, !isAgain else { continue }
      // The data given since then may have filled the connection, which reports that it is drained only if it was
      // asked.
      guard publisher.isHeldBack, known.given > 0 else { return schedule(publisher.nextWake()) }
      known.time = .min
    }
    schedule(loop.now)
  }

  private func schedule(_ time: Int64?) {
    guard time != timerTime || timer == nil else { return }
    if let timer { loop.cancel(timer) }
    timer = nil
    timerTime = time
    guard let time else { return }
    let now = loop.now
    timer = loop.after(time > now ? time - now : 0) { [weak self] in
      self?.timer = nil
      self?.timerTime = nil
      self?.turn()
    }
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
    feed.cancel()
    if let timer { loop.cancel(timer) }
    timer = nil
    onEnd()
  }
}
