// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FLV
public import Flow
public import Media
internal import RTMP
public import Transport

/// Publishes one stream to several servers, which may be added and removed: it is read once, paced once, and made into
/// tags once for each dialect. Each target has its own queue and connections, so that a slow or failed one does not
/// delay the others.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`.
public final class Broadcast: @unchecked Sendable {
  /// Called for each target whose stream has ended, with its error.
  public var onTargetEnd: (_ id: Int, _ error: MediaError?) -> Void = { _, _ in }
  /// Called once, when no target is left.
  public var onEnd: () -> Void = {}
  /// Called with whether the sender should wait, for a stream that is pushed faster than real time.
  public var onHold: (Bool) -> Void = { _ in }
  /// The error that ended the reading of the stream.
  public private(set) var sourceError: MediaError?

  private let loop: EventLoop
  private let onEvent: (_ id: Int, PublishEvent) -> Void
  private let details: MediaDetails
  /// The tracks with their current formats.
  private var tracks: [CodedTrack]
  /// The video track with whose key frames a stream begins.
  private let leader: Int?
  private var members: [Int: BroadcastEntry] = [:]
  private var source: (any ItemSource)?
  /// The items that were pushed and not yet passed on to targets.
  private let pushed = ItemQueue()
  private var items: [StreamItem] = []
  private var nextItem = 0
  /// The number of bytes that were pushed and not yet passed on.
  private var waiting = 0
  private var isHeld = false
  private var pacer: Pacer
  private var timeline = Timeline()
  /// The time of the next item, once it is known.
  private var nextTime: Int64?
  /// The time of the previous sample.
  private var lastTime: Int64 = 0
  private var hasGiven = false
  private var patience = StartPatience()
  private var isDone = false
  private var hasEnded = false
  private var timer: TimerID?
  private var isTurning = false
  private var isAgain = false

  /// The number of waiting bytes above which the source is asked to wait, and below which it is asked to continue.
  private static let high = 1 << 20
  private static let low = 1 << 18
  /// The number of items after which the loop may serve its sockets.
  private static let itemsAtOnce = 256

  /// - Parameter pace: the rule for when items leave; `pushed` items count as live.
  public init(
    _ tracks: [CodedTrack], _ details: MediaDetails, _ pace: Pacer.Mode, on loop: EventLoop,
    _ onEvent: @escaping (_ id: Int, PublishEvent) -> Void
  ) {
    self.tracks = tracks
    self.details = details
    self.loop = loop
    self.onEvent = onEvent
    pacer = Pacer(pace)
    leader = FLVPlacement(tracks, .enhanced).places.firstIndex(of: .video(0))
  }

  /// The number of remaining targets.
  public var count: Int { members.count }

  public var states: [BroadcastState] {
    members.sorted { $0.key < $1.key }.map { $0.value.run.state(id: $0.key) }
  }

  // MARK: Targets

  /// Starts publishing to another target.
  public func add(_ target: BroadcastTarget) throws(MediaError) {
    guard !isDone, members[target.id] == nil else { return }
    var options = target.options
    options.pace = .pushed
    options.details = details
    let queue = ItemQueue()
    let id = target.id
    let run = PublishRun(
      try Publisher(tracks, to: target.addresses, options), queue, target.link, on: loop
    ) { [weak self] in self?.report($0, of: id) }
    add(run, queue, id)
  }

  /// Starts sending through another sink.
  public func add(_ id: Int, _ sink: any StreamSink, _ options: PublishOptions) {
    guard !isDone, members[id] == nil else { return }
    let queue = ItemQueue()
    let run = SinkRun(tracks, details, queue, to: sink, options, on: loop) { [weak self] in
      self?.report($0, of: id)
    }
    add(run, queue, id)
  }

  private func add(_ run: any BroadcastMember, _ queue: ItemQueue, _ id: Int) {
    run.onEnd = { [weak self] in self?.ended(id) }
    members[id] = BroadcastEntry(run: run, queue: queue, hasBegun: !hasGiven || leader == nil)
    run.start()
  }

  /// Ends the stream of a target properly.
  public func remove(_ id: Int) { members[id]?.run.stop() }

  private func report(_ event: PublishEvent, of id: Int) {
    onEvent(id, event)
    // The first server that accepts the stream starts the clock of a paced one.
    guard case .connecting = event else { return wake() }
  }

  private func ended(_ id: Int) {
    // Deferred, because the run is at work.
    loop.after(0) { [weak self] in
      guard let self, let member = members.removeValue(forKey: id) else { return }
      onTargetEnd(id, member.run.outcome)
      endIfDone()
      turn()
    }
  }

  private func endIfDone() {
    guard members.isEmpty, !hasEnded else { return }
    hasEnded = true
    isDone = true
    close()
    onEnd()
  }

  private func close() {
    source?.cancel()
    pushed.cancel()
    (items, nextItem) = ([], 0)
    if let timer { loop.cancel(timer) }
    timer = nil
  }

  // MARK: The stream

  /// Reads a source to its end on its own thread.
  ///
  /// - Parameter waits: whether the source can wait, as a file or a pipe can. If so, nothing is sent before each target
  ///   has connected or failed to, for three seconds at most.
  public func start(_ source: any SampleSource & Sendable, waits: Bool = false) {
    let feed = SampleFeed()
    self.source = feed
    if waits {
      patience.begin(at: loop.now)
      loop.after(StartPatience.limit) { [weak self] in self?.turn() }
    }
    feed.start(source) { [self, loop] in loop.perform { self.turn() } }
    turn()
  }

  /// Adds an item that has just arrived.
  public func push(_ item: StreamItem) {
    guard !isDone else { return }
    waiting += item.bytes
    pushed.put(item)
    turn()
    guard !isHeld, waiting > Self.high else { return }
    isHeld = true
    onHold(true)
  }

  /// Declares that nothing more is pushed. Targets that are not connected are given up.
  public func finish() {
    guard !isDone else { return }
    pushed.finish()
    turn()
    for member in members.values where !member.run.isRunning { member.run.stop() }
  }

  /// Ends the stream properly, without sending the items that wait.
  public func stop() {
    isDone = true
    close()
    for member in members.values { member.run.stop() }
    if members.isEmpty { endIfDone() }
  }

  private func wake() {
    guard items.count > nextItem || source != nil else { return }
    loop.after(0) { [weak self] in self?.turn() }
  }

  /// Continues after the source has something, or time has passed.
  public func turn() {
    guard !isTurning else {
      isAgain = true
      return
    }
    isTurning = true
    var given = 0
    repeat {
      isAgain = false
      while given < Self.itemsAtOnce, step() { given += 1 }
    } while isAgain && given < Self.itemsAtOnce
    if given == Self.itemsAtOnce { schedule(loop.now) }
    // A producer that is asked to continue may push at once.
    isTurning = false
    if isHeld, waiting < Self.low || isDone {
      isHeld = false
      onHold(false)
    }
  }

  /// Passes one item on to all targets; returns `false` if none is due.
  private func step() -> Bool {
    if patience.isWaiting {
      patience.update(
        isOpening: members.values.contains { $0.run.isOpening }, at: loop.now)
    }
    guard !isDone, canStart else { return false }
    if nextItem == items.count { (items, nextItem) = ((source ?? pushed).take(), 0) }
    guard nextItem < items.count else {
      if let end = (source ?? pushed).end { giveEnd(end) }
      return false
    }
    let item = items[nextItem]
    do {
      let time = try nextTime ?? time(of: item)
      let now = loop.now
      let due = pacer.isStarted ? pacer.due(time, hasRoom: members.values.haveRoom) : .min
      guard due <= now else {
        nextTime = time
        schedule(due)
        return false
      }
      if !pacer.isStarted { pacer.start(time, at: now) }
      pacer.leave(time, at: now)
    } catch {
      giveEnd(.failed(MediaError(error)))
      return false
    }
    nextTime = nil
    nextItem += 1
    waiting -= item.bytes
    give(item)
    return true
  }

  private func giveEnd(_ end: SourceEnd) {
    isDone = true
    if case .failed(let error) = end { sourceError = error }
    for member in members.values {
      member.queue.finish()
      member.run.turn()
    }
  }

  /// Returns the time of an item on the clock of the stream, in nanoseconds.
  private func time(of item: StreamItem) throws -> Int64 {
    guard case .sample(let sample) = item.event else { return lastTime }
    lastTime = try timeline.place(sample).time
    return lastTime
  }

  private var canStart: Bool {
    guard !pacer.isStarted else { return true }
    guard !patience.isWaiting else { return false }
    guard case .paced = pacer.mode else { return true }
    return members.values.contains { $0.run.isRunning }
  }

  private func give(_ item: StreamItem) {
    hasGiven = true
    var item = item
    var isFormat = false
    if case .format(let track, let format) = item.event {
      tracks[track].format = format
      isFormat = true
    }
    if members.count > 1 { item.shared = SharedTags() }
    for (id, member) in members {
      if !member.hasBegun, !isFormat {
        guard isBeginning(item) else { continue }
        members[id]?.hasBegun = true
      }
      member.queue.put(item)
      member.run.turn()
    }
  }

  private func isBeginning(_ item: StreamItem) -> Bool {
    guard case .sample(let sample) = item.event else { return false }
    return sample.track == leader && item.picture?.kind == .randomAccess
  }

  private func schedule(_ time: Int64) {
    if let timer { loop.cancel(timer) }
    let now = loop.now
    timer = loop.after(time > now ? time - now : 0) { [weak self] in
      self?.timer = nil
      self?.turn()
    }
  }
}
