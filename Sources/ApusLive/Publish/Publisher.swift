// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import RTMP

/// Publishes a stream, connection after connection, as a state machine: items, times and events of connections go in,
/// actions come out. It owns no socket and no clock; times are nanoseconds of any monotonic clock.
///
/// Its driver offers items when they leave, reports events of connections, calls `advance` after that and at `nextWake`,
/// and carries out the actions.
struct Publisher: ~Copyable, Sendable {
  /// A connection on which the server has not accepted the stream yet.
  struct Attempt: Sendable {
    let id: Int
    let address: Address
    let hops: Int
  }

  /// A connection on which the server accepts the stream.
  struct Link: Sendable {
    let attempt: Attempt
    let facts: ServerFacts
    let dialect: HEVCDialect?
    /// The place of each track; `nil` for those that the server does not accept.
    let places: [FLVPlace?]
    let startedAt: Int64
    /// The time at which the number of unsent bytes last fell.
    var progressAt: Int64
    /// The number of unsent bytes when last measured.
    var unsent = 0
    /// The tags of the stream, once the first was sent.
    var tags: StreamTags?
    /// The further video tracks of which a key frame was sent.
    var begun: Set<Int> = []

    var id: Int { attempt.id }
  }

  /// The connection to the address to which a server redirected the stream.
  enum Successor: Sendable {
    case attempt(Attempt)
    case link(Link)

    var attempt: Attempt {
      switch self {
      case .attempt(let attempt): attempt
      case .link(let link): link.attempt
      }
    }
  }

  enum State: Sendable {
    /// Waits until this time before it connects.
    case waiting(until: Int64)
    /// Waits for the server to accept the stream.
    case connecting(Attempt)
    case streaming(Link)
    /// Streams, and waits for its successor to be accepted, and then for a key frame.
    case moving(Link, to: Successor)
    /// Sent the closing messages; waits for the server until this time.
    case closing(id: Int, until: Int64)
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
  var state = State.waiting(until: .min)
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
  static let closingTime: Int64 = 20_000_000_000
  static let closingTimeWhenStopped: Int64 = 3_000_000_000
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
    self.init(
      tracks, video: places.firstIndex(of: .video(0)), addresses, options, details, isUnpaced,
      Backoff(random: random))
  }

  private init(
    _ tracks: [CodedTrack], video videoTrack: Int?, _ addresses: [Address],
    _ options: PublishOptions, _ details: MediaDetails, _ isUnpaced: Bool, _ backoff: Backoff
  ) {
    self.tracks = tracks
    self.videoTrack = videoTrack
    self.addresses = addresses
    self.options = options
    self.details = details
    self.isUnpaced = isUnpaced
    self.backoff = backoff
    queue = SendQueue(options.queue, leader: videoTrack ?? 0)
  }

  /// The connection in use, and its successor.
  var use: (link: Link, next: Successor?)? {
    switch state {
    case .streaming(let link): (link, nil)
    case .moving(let link, let next): (link, next)
    case .waiting, .connecting, .closing, .finished: nil
    }
  }

  /// The numbers of the connections.
  var connections: [Int] {
    switch state {
    case .connecting(let attempt): [attempt.id]
    case .streaming(let link): [link.id]
    case .moving(let link, let next): [link.id, next.attempt.id]
    case .closing(let id, _): [id]
    case .waiting, .finished: []
    }
  }

  var isRunning: Bool { use != nil }
  /// Whether the first attempt to connect has neither succeeded nor failed.
  var isOpening: Bool {
    if case .connecting = state { !hasRun && backoff.failures == 0 } else { false }
  }

  /// The most bytes that a connection may hold unsent: half a second of the stream. Data there cannot be dropped any
  /// more.
  var window: Int {
    guard !isUnpaced else { return Self.unpaced }
    return min(max((rate.bytesPerSecond ?? 0) / 2, 32 << 10), Self.widest)
  }

  /// Whether nothing more is sent.
  var isOver: Bool {
    switch state {
    case .waiting, .connecting, .streaming, .moving: false
    case .closing, .finished: true
    }
  }

  /// Whether samples wait for room in the connection.
  var isHeldBack: Bool { isRunning && !queue.isEmpty }

  mutating func start() -> [PublishAction] {
    reportUnplaced()
    connect()
    return taken()
  }

  /// Ends the stream properly, without sending the items in the queue.
  mutating func stop(at now: Int64) -> [PublishAction] {
    guard !isOver else { return [] }
    queue.removeAll()
    close(at: now, within: Self.closingTimeWhenStopped)
    return taken()
  }

  /// Returns the time at which `advance` has to be called again if nothing else happens; `nil` for never.
  func nextWake() -> Int64? {
    switch state {
    case .waiting(let until), .closing(_, let until): return until
    case .streaming(let link), .moving(let link, _):
      return link.unsent > 0 ? link.progressAt + Self.stall : nil
    case .connecting, .finished: return nil
    }
  }

  /// - Parameter unsent: the number of bytes that the connection in use holds and has not sent.
  mutating func advance(at now: Int64, unsent: Int) -> [PublishAction] {
    switch state {
    case .waiting(let until): if now >= until { connect() }
    case .connecting: break
    case .streaming, .moving: send(unsent: unsent, at: now)
    case .closing(let id, let until):
      guard now >= until else { break }
      actions.append(.abort(id))
      finish()
    case .finished: return []
    }
    endIfDone(at: now)
    return taken()
  }

  // MARK: - Connections

  mutating func open(_ address: Address, hops: Int) -> Attempt {
    links += 1
    var configuration = ClientConfiguration(address, for: .publish)
    // nginx-rtmp reveals its version, which identifies it, only in a signed handshake.
    configuration.handshake = .digest
    configuration.hops = hops
    configuration.reconnects = options.reconnects
    actions.append(.report(.connecting(address, attempt: backoff.failures + 1)))
    actions.append(.open(links, configuration))
    return Attempt(id: links, address: address, hops: hops)
  }

  private mutating func connect() {
    let turn =
      hasRun || options.waitsForServer
      ? backoff.failures / Self.failuresPerAddress : backoff.failures
    state = .connecting(open(addresses[turn % addresses.count], hops: 0))
  }

  // MARK: - The end

  private mutating func endIfDone(at now: Int64) {
    guard !isOver, let sourceEnd, queue.isEmpty else { return }
    if case .failed(let error) = sourceEnd { outcome = outcome ?? error }
    close(at: now)
  }

  mutating func close(at now: Int64, within limit: Int64 = closingTime) {
    guard let (link, next) = use else {
      for id in connections { actions.append(.abort(id)) }
      return finish()
    }
    if let next { actions.append(.abort(next.attempt.id)) }
    end(link)
    state = .closing(id: link.id, until: now + limit)
  }

  /// Sends the end of the sequence on a connection, and closes it.
  mutating func end(_ link: Link) {
    do {
      var tags = link.tags
      if let ending = try tags?.ending() { actions.append(.send(link.id, ending)) }
    } catch {
      outcome = outcome ?? MediaError(error)
    }
    actions.append(.end(link.id))
  }

  mutating func finish() {
    state = .finished
    queue.removeAll()
    actions.append(.report(.ended(statistics)))
    actions.append(.finish(outcome))
  }

  mutating func taken() -> [PublishAction] {
    statistics.queuedBytes = queue.bytes
    statistics.queuedTime = .milliseconds(queue.duration / 1_000_000)
    let taken = actions
    actions = []
    return taken
  }
}
