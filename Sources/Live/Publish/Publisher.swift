// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FLV
internal import Flow
internal import Media
internal import RTMP

/// Publishes a stream, connection after connection, as a state machine: items, times and events of connections go in,
/// actions come out. It owns no socket and no clock; times are nanoseconds of any monotonic clock.
///
/// Its driver offers items when they leave, reports events of connections, calls `advance` after that and at `nextWake`,
/// and carries out the actions.
struct Publisher: ~Copyable, Sendable {
  /// A connection and its state.
  struct Link: Sendable {
    let id: Int
    let address: Address
    let hops: Int
    var facts: ServerFacts?
    /// The tags of the stream, once the first was sent.
    var tags: StreamTags?
    var dialect: HEVCDialect?
    /// The place of each track, once the server has declared what it accepts.
    var places: [FLVPlace?]?
    /// The further video tracks of which a key frame was sent.
    var begun: Set<Int> = []
    var startedAt: Int64 = 0
    /// The number of unsent bytes when last measured.
    var unsent = 0
    /// The time at which the number of unsent bytes last fell.
    var progressAt: Int64 = 0
    var isRunning: Bool { facts != nil }
  }

  enum Phase: Hashable {
    case streaming
    /// Sent the closing messages; waits for the server until this time.
    case closing(until: Int64)
    case finished
  }

  let options: PublishOptions
  /// Whether nothing is dropped and latency does not matter: items are offered only while there is room.
  let isUnpaced: Bool
  /// The details of the source; its tags are sent with the metadata.
  let details: MediaDetails
  var statistics = PublishStatistics()

  let addresses: [Address]
  /// The first video track, at whose key frames a stream starts and continues.
  let videoTrack: Int?
  /// The tracks of the input with their current formats, with which a new connection has to begin.
  var tracks: [CodedTrack]
  /// Tracks that a server did not accept, which was reported.
  var reported: Set<Int> = []
  var queue: SendQueue
  var clock = TargetClock()
  var rate = StreamRate()
  var backoff: Backoff
  var sourceEnd: SourceEnd?
  var phase = Phase.streaming
  var link: Link?
  /// The connection to the address to which the server redirected the stream, until the stream has moved there.
  var next: Link?
  var retryAt: Int64?
  var outcome: MediaError?
  var hasSent = false
  var hasRun = false
  var actions: [PublishAction] = []
  private var links = 0

  /// The most bytes that a connection may hold unsent for a paced stream.
  static let widest = 256 << 10
  /// The most bytes that a connection may hold unsent where latency does not matter.
  static let unpaced = 1 << 20
  /// Nanoseconds without progress after which a connection counts as stalled.
  static let stall: Int64 = 15_000_000_000
  /// The longest time for ending, in nanoseconds: at the end of the input, with all that a connection still holds; and
  /// when the user stops the stream.
  static let goodbye: Int64 = 20_000_000_000
  static let hurriedGoodbye: Int64 = 3_000_000_000
  /// The duration after which a connection counts as stable, in nanoseconds.
  static let stable: Int64 = 10_000_000_000
  /// The number of consecutive failures after which the next address is tried.
  static let failuresPerAddress = 3

  /// - Parameter addresses: the address to publish to, followed by its alternatives.
  init(
    _ tracks: [CodedTrack], to addresses: [Address], _ options: PublishOptions,
    _ details: MediaDetails, isUnpaced: Bool,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(MediaError) {
    let places = FLVPlacement(tracks, .enhanced).places
    guard places.contains(where: { $0 != nil }) else {
      throw MediaError(
        .unsupported, "the input has no video or audio that can be streamed")
    }
    guard !addresses.isEmpty else { throw MediaError(.misuse, "no server is given") }
    videoTrack = places.firstIndex(of: .video(0))
    self.tracks = tracks
    self.addresses = addresses
    self.options = options
    (self.details, self.isUnpaced) = (details, isUnpaced)
    queue = SendQueue(options.queue, leader: videoTrack ?? 0)
    backoff = Backoff(random: random)
  }

  var isRunning: Bool { link?.isRunning == true }
  /// Whether the first attempt to connect has neither succeeded nor failed.
  var isOpening: Bool { phase == .streaming && !hasRun && backoff.failures == 0 }

  /// The most bytes that a connection may hold unsent: half a second of the stream. Data there cannot be dropped any
  /// more.
  var window: Int {
    guard !isUnpaced else { return Self.unpaced }
    return min(max((rate.bytesPerSecond ?? 0) / 2, 32 << 10), Self.widest)
  }

  var isFinished: Bool { phase == .finished }

  /// Whether samples wait for room in the connection.
  var isHeldBack: Bool { phase == .streaming && isRunning && queue.first != nil }

  mutating func start(at now: Int64) -> [PublishAction] {
    reportUnplaced()
    connect(at: now)
    return taken()
  }

  /// Ends the stream properly, without sending the items in the queue.
  mutating func stop(at now: Int64) -> [PublishAction] {
    guard phase == .streaming else { return [] }
    queue.removeAll()
    close(at: now, within: Self.hurriedGoodbye)
    return taken()
  }

  /// Returns the time at which `advance` has to be called again if nothing else happens; `nil` for never.
  func nextWake() -> Int64? {
    switch phase {
    case .finished: return nil
    case .closing(let until): return until
    case .streaming: break
    }
    guard let link, link.isRunning, link.unsent > 0 else { return retryAt }
    return link.progressAt + Self.stall
  }

  /// - Parameter unsent: the number of bytes that the connection in use holds and has not sent.
  mutating func advance(at now: Int64, unsent: Int) -> [PublishAction] {
    switch phase {
    case .finished: return []
    case .closing(let until):
      if now >= until {
        for link in [link, next].compactMap(\.self) { actions.append(.abort(link.id)) }
        finish()
      }
      return taken()
    case .streaming: break
    }
    if let retryAt, now >= retryAt {
      self.retryAt = nil
      connect(at: now)
    }
    watch(unsent, at: now)
    send(unsent: unsent, at: now)
    endIfDone(at: now)
    return taken()
  }

  // MARK: - Connections

  mutating func open(_ address: Address, hops: Int, at now: Int64) -> Link {
    links += 1
    var configuration = ClientConfiguration(address, for: .publish)
    // nginx-rtmp reveals its version, which identifies it, only in a signed handshake.
    configuration.handshake = .digest
    configuration.hops = hops
    configuration.reconnects = options.reconnects
    actions.append(.report(.connecting(address, attempt: backoff.failures + 1)))
    actions.append(.open(links, configuration))
    return Link(id: links, address: address, hops: hops)
  }

  private mutating func connect(at now: Int64) {
    let turn =
      hasRun || options.waitsForServer
      ? backoff.failures / Self.failuresPerAddress : backoff.failures
    link = open(addresses[turn % addresses.count], hops: 0, at: now)
  }

  private mutating func watch(_ unsent: Int, at now: Int64) {
    guard let link, link.isRunning else { return }
    if unsent < link.unsent || unsent == 0 || link.unsent == 0 { self.link?.progressAt = now }
    self.link?.unsent = unsent
    guard now - (self.link?.progressAt ?? now) >= Self.stall || queue.isHopeless else { return }
    actions.append(.abort(link.id))
    lose("the server stopped accepting data", isFinal: false, at: now)
  }

  // MARK: - The end

  private mutating func endIfDone(at now: Int64) {
    guard phase == .streaming, let sourceEnd, queue.isEmpty else { return }
    if case .failed(let error) = sourceEnd { outcome = outcome ?? error }
    close(at: now)
  }

  mutating func close(at now: Int64, within limit: Int64 = goodbye) {
    retryAt = nil
    if let next { actions.append(.abort(next.id)) }
    next = nil
    guard let link else { return finish() }
    guard link.isRunning else {
      actions.append(.abort(link.id))
      return finish()
    }
    sayEnd()
    actions.append(.end(link.id))
    phase = .closing(until: now + limit)
  }

  /// Sends the end of the sequence on the connection in use.
  mutating func sayEnd() {
    guard let link, var tags = link.tags else { return }
    do {
      actions.append(.send(link.id, try tags.ending()))
    } catch {
      outcome = outcome ?? MediaError(error)
    }
  }

  mutating func finish() {
    phase = .finished
    (link, next) = (nil, nil)
    queue.removeAll()
    actions.append(.report(.ended(statistics)))
    actions.append(.finish(outcome))
  }

  mutating func taken() -> [PublishAction] {
    statistics.queuedBytes = queue.bytes
    statistics.queuedTime = queue.duration / 1_000_000
    let taken = actions
    actions = []
    return taken
  }
}
