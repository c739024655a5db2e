// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
package import ApusMedia
package import ApusSamples
package import ApusTransport
internal import FLV
internal import RTMP

/// Publishes one stream to one or several targets, which may be added and removed: it is read once, paced once, and made
/// into tags once for each dialect. Each target has its own queue and connections, so that a slow or failed one does not
/// delay the others.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`.
package final class Broadcast: @unchecked Sendable {
  /// Called for each target whose stream has ended, with its error.
  package var onTargetEnd: (_ id: Int, _ error: MediaError?) -> Void = { _, _ in }
  /// Called once, when no target is left.
  package var onEnd: () -> Void = {}
  /// Called with whether the sender should wait, for a stream that is pushed faster than real time.
  package var onHold: (Bool) -> Void = { _ in }
  /// The error that ended the reading of the stream.
  package private(set) var sourceError: MediaError?

  private let loop: EventLoop
  private let onEvent: (_ id: Int, PublishEvent) -> Void
  private let details: MediaDetails
  /// The tracks with their current formats.
  private var tracks: [CodedTrack]
  /// The video track with whose key frames a stream begins.
  private let leader: Int?
  private(set) var members: [Int: BroadcastEntry] = [:]
  private var feed: SampleFeed?
  /// The entries that were pushed or taken from the feed, and have not left yet.
  private var entries = Queue<StreamEntry>()
  /// The number of their bytes.
  private var waiting = 0
  private var isHeld = false
  private let isUnpaced: Bool
  private var schedule: StreamSchedule
  private var hasGiven = false
  private var isDone = false
  private var hasEnded = false
  private var timer: WakeTimer?
  private var isTurning = false
  private var isAgain = false

  /// The number of waiting bytes above which the source is asked to wait, and below which it is asked to continue.
  private static let high = 1 << 20
  private static let low = 1 << 18
  /// The number of items after which the loop may serve its sockets.
  private static let itemsAtOnce = 256

  /// - Parameter pace: the rule for when items leave.
  package init(
    _ tracks: [CodedTrack], _ details: MediaDetails, _ pace: Pacer.Mode, on loop: EventLoop,
    _ onEvent: @escaping (_ id: Int, PublishEvent) -> Void
  ) {
    self.tracks = tracks
    self.details = details
    self.loop = loop
    self.onEvent = onEvent
    isUnpaced = pace == .unpaced
    schedule = StreamSchedule(pace)
    leader = FLVPlacement(tracks, .enhanced).places.firstIndex(of: .video(0))
    timer = WakeTimer(on: loop) { [weak self] in self?.turn() }
  }

  /// The number of remaining targets.
  package var count: Int { members.count }

  package var states: [BroadcastState] {
    members.sorted { $0.key < $1.key }.map { $0.value.run.state(id: $0.key) }
  }

  // MARK: Targets

  /// Starts publishing to another target.
  package func add(_ target: BroadcastTarget) throws(MediaError) {
    guard !isDone, members[target.id] == nil else { return }
    let id = target.id
    let publisher = try Publisher(
      tracks, to: target.addresses, target.options, details, isUnpaced: isUnpaced)
    add(PublishRun(publisher, target.link, on: loop) { [onEvent] in onEvent(id, $0) }, id)
  }

  /// Starts sending through another sink.
  package func add(_ id: Int, _ sink: any StreamSink, _ options: PublishOptions) {
    guard !isDone, members[id] == nil else { return }
    add(SinkRun(tracks, details, to: sink, options, on: loop) { [onEvent] in onEvent(id, $0) }, id)
  }

  private func add(_ run: any BroadcastMember, _ id: Int) {
    run.onEnd = { [weak self] in self?.ended(id) }
    run.onTurn = { [weak self] in
      if let self, schedule.isHeldBack { turn() }
    }
    members[id] = BroadcastEntry(run: run, hasBegun: !hasGiven || leader == nil)
    run.start()
  }

  /// Ends the stream of a target properly.
  package func remove(_ id: Int) { members[id]?.run.stop() }

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
    feed?.cancel()
    entries = Queue()
    timer?.set(nil)
  }

  // MARK: The stream

  /// Reads a source to its end on its own thread.
  ///
  /// - Parameter waits: whether the source can wait, as a file or a pipe can. If so, nothing is sent before each target
  ///   has connected or failed to, for three seconds at most.
  package func start(_ source: any SampleSource & Sendable, waits: Bool = false) {
    let feed = SampleFeed()
    self.feed = feed
    if waits { schedule.waitAtStart(at: loop.now) }
    feed.start(source)
    turn()
  }

  /// Adds an item that has just arrived.
  func push(_ item: StreamItem) {
    guard !isDone else { return }
    waiting += item.bytes
    entries.append(.item(item))
    turn()
    guard !isHeld, waiting > Self.high else { return }
    isHeld = true
    onHold(true)
  }

  /// Declares that nothing more is pushed. Targets that are not connected are given up.
  package func finish() {
    guard !isDone else { return }
    entries.append(.end(.complete))
    turn()
    for member in members.values where !member.run.isRunning { member.run.stop() }
  }

  /// Ends the stream properly, without sending the items that wait.
  package func stop() {
    isDone = true
    close()
    for member in members.values { member.run.stop() }
    if members.isEmpty { endIfDone() }
  }

  /// Continues after the source has something, or time has passed.
  func turn() {
    guard !isTurning else {
      isAgain = true
      return
    }
    isTurning = true
    var given = 0
    repeat {
      isAgain = false
      let before = given
      while given < Self.itemsAtOnce, step() { given += 1 }
      if given > before { for member in members.values { member.run.turn() } }
    } while isAgain && given < Self.itemsAtOnce
    if !isDone {
      let next = schedule.nextWake(StreamSchedule.Targets(members.values))
      timer?.set(given < Self.itemsAtOnce ? next : loop.now)
    }
    isTurning = false
    // A producer that is asked to continue may push at once.
    if isHeld, waiting < Self.low || isDone {
      isHeld = false
      onHold(false)
    }
  }

  /// Passes one item, or the end, on to all targets; returns `false` if none is due.
  private func step() -> Bool {
    guard !isDone else { return false }
    if entries.isEmpty, let feed {
      entries = feed.takeAll { [self, loop] in loop.perform { self.turn() } }
    }
    let targets = StreamSchedule.Targets(members.values)
    do {
      guard let entry = try schedule.take(from: &entries, targets, at: loop.now) else {
        return false
      }
      switch entry {
      case .item(let item): give(item)
      case .end(let end): giveEnd(end)
      }
    } catch {
      giveEnd(.failed(MediaError(error)))
    }
    return true
  }

  private func giveEnd(_ end: SourceEnd) {
    isDone = true
    if case .failed(let error) = end { sourceError = error }
    for member in members.values { member.run.offerEnd() }
  }

  private func give(_ item: StreamItem) {
    hasGiven = true
    if feed == nil { waiting -= item.bytes }
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
      member.run.offer(item)
    }
  }

  private func isBeginning(_ item: StreamItem) -> Bool {
    guard case .sample(let sample) = item.event else { return false }
    return sample.track == leader && item.picture?.kind == .randomAccess
  }
}
