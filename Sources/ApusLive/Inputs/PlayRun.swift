// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples
internal import ApusTransport
internal import FLV
internal import RTMP

/// Plays a stream from a server, connection after connection, into a queue.
///
/// Used only on its loop's thread. It is `Sendable` because the queue calls back to that thread when it has room.
final class PlayRun: @unchecked Sendable {
  private let options: PullOptions
  private let loop: EventLoop
  private let queue: InputQueue
  private let onEvent: (InputEvent) -> Void
  private let address: Address
  private var link: ClientLink?
  private var samples = LiveSamples()
  /// The faults in the tags of this connection.
  private var faults = StreamFaults()
  private var backoff = Backoff()
  private var startedAt: Int64?
  private var hasRun = false
  /// Whether the queue has no room.
  private var isFull = false
  /// The time at which the server last sent something, and the timer that checks it.
  private var lastTag: Int64 = 0
  private var timer: TimerID?

  /// Nanoseconds of silence after which the server is pinged.
  private static let quiet: Int64 = 10_000_000_000
  /// The duration after which a connection counts as stable, in nanoseconds.
  private static let stable: Int64 = 10_000_000_000

  init(
    _ address: Address, _ options: PullOptions, into queue: InputQueue, on loop: EventLoop,
    _ onEvent: @escaping (InputEvent) -> Void
  ) {
    self.address = address
    self.options = options
    self.queue = queue
    self.loop = loop
    self.onEvent = onEvent
  }

  func start() { open(address, hops: 0) }

  private func open(_ address: Address, hops: Int) {
    var configuration = ClientConfiguration(address, for: .play)
    configuration.handshake = .digest
    configuration.reconnects = options.reconnects
    configuration.hops = hops
    onEvent(.connecting(address, attempt: backoff.failures + 1))
    let link = ClientLink(configuration, options.link, on: loop) { [weak self] in
      self?.react(to: $1, of: $0)
    }
    self.link = link
    link.isReading = !isFull
    samples = LiveSamples()
    faults = StreamFaults()
    startedAt = nil
    link.open()
  }

  private func react(to event: ClientLinkEvent, of link: ClientLink) {
    guard link === self.link else { return }
    switch event {
    case .state(.running):
      (startedAt, lastTag) = (loop.now, loop.now)
      watch()
    case .tag(let tag):
      lastTag = loop.now
      pass {
        try faults.look(at: tag)
        for words in faults.news() { onEvent(.warning(words)) }
        return try samples.add(tag)
      }
    case .moveTo(let address, _):
      let hops = link.configuration.hops + 1
      leave()
      link.abort()
      open(address, hops: hops)
    case .ended(let error): ended(error)
    case .state, .status, .pong, .drained: return
    }
  }

  /// Pings a silent server; if it is gone it acknowledges nothing, which ends the connection.
  private func watch() {
    timer = loop.after(Self.quiet) { [weak self] in
      guard let self, let link else { return }
      let now = loop.now
      if !isFull, now - lastTag >= Self.quiet {
        link.ping(UInt32(truncatingIfNeeded: now / 1_000_000))
      }
      watch()
    }
  }

  private func pass(_ events: () throws -> [SourceEvent]) {
    let wasReady = samples.isReady
    do {
      let events = try events()
      if samples.isReady, !wasReady {
        hasRun = true
        add(.begin(OpenedInput(tracks: samples.tracks, warnings: samples.warnings)))
      }
      for event in events { add(.event(event)) }
    } catch {
      link?.abort()
      finish(MediaError(error))
    }
  }

  /// Adds an entry to the queue. When the queue is full, nothing is read until it has room, so that TCP holds the server
  /// back while timers and other events of the loop still run.
  private func add(_ entry: InputEntry) {
    let hasRoom = queue.add(entry) { [self] in
      loop.perform {
        self.isFull = false
        self.link?.isReading = true
      }
    }
    guard !hasRoom else { return }
    isFull = true
    link?.isReading = false
  }

  /// Passes on the samples of this connection that still wait, and forgets the connection.
  private func leave() {
    if let timer { loop.cancel(timer) }
    timer = nil
    if link != nil {
      for words in faults.repeated() { onEvent(.warning(words)) }
      pass { try samples.begin() }
    }
    link = nil
  }

  private func ended(_ error: SessionError?) {
    leave()
    guard let error else { return finish(nil) }
    if let startedAt, loop.now - startedAt >= Self.stable { backoff.reset() }
    let wait = backoff.fail()
    let isFinal = [.unauthorized, .address, .misuse].contains(error.kind)
    let isOver =
      hasRun || options.waitsForServer
      ? backoff.failures > options.retries : true
    if isFinal || isOver { return finish(MediaError(.io, error.detail)) }
    onEvent(.lost(error.detail, retryAfter: .nanoseconds(wait)))
    loop.after(wait) { [weak self] in
      guard let self else { return }
      open(address, hops: 0)
    }
  }

  private func finish(_ error: MediaError?) {
    link = nil
    add(.end(error))
    loop.stop()
  }
}
