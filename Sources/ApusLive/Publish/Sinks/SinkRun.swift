// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples
internal import ApusThreads
internal import ApusTransport

/// Sends a broadcast through a sink, connection after connection, on its own thread.
///
/// Used only on its loop's thread, to which the sink's thread sends its events.
final class SinkRun: BroadcastMember, @unchecked Sendable {
  // Everything except the queue, the sink and the flag is used only on the loop's thread.
  var onEnd: () -> Void = {}
  var onTurn: () -> Void = {}
  private(set) var outcome: MediaError?
  private(set) var isRunning = false
  private(set) var isOpening = true
  private(set) var statistics = PublishStatistics()

  private let sink: any StreamSink
  private let queue: SinkQueue
  private let details: MediaDetails
  private let retries: Int
  private let loop: EventLoop
  private let onEvent: (PublishEvent) -> Void
  private let stopping = StopFlag()
  private var clock = TargetClock()
  private var hasEnded = false

  init(
    _ tracks: [CodedTrack], _ details: MediaDetails, to sink: any StreamSink,
    _ options: PublishOptions, on loop: EventLoop, _ onEvent: @escaping (PublishEvent) -> Void
  ) {
    self.sink = sink
    self.details = details
    self.loop = loop
    self.onEvent = onEvent
    retries = options.retries
    queue = SinkQueue(tracks, longest: options.queue.duration.nanoseconds)
  }

  /// Always true: a sink that is too slow drops pictures, and does not delay the others.
  var hasRoom: Bool { true }

  func start() {
    let isStarted = Thread.start { self.work() }
    if !isStarted { end(MediaError(.io, of: .part("thread"), "cannot be created")) }
  }

  func stop() {
    stopping.stop()
    sink.cancel()
    queue.end()
  }

  /// Does nothing: the sink's thread sends on its own.
  func turn() {}

  func offerEnd() {
    queue.end()
    // There is no peer that could receive the end.
    if !isRunning { stop() }
  }

  func state(id: Int) -> BroadcastState {
    let sent = queue.sent
    let waiting = queue.waiting
    statistics.samples = sent.samples
    statistics.bytes = sent.bytes
    statistics.time = .milliseconds(sent.time / 1_000_000)
    statistics.queuedBytes = waiting.bytes
    statistics.queuedTime = .milliseconds(waiting.time / 1_000_000)
    return BroadcastState(
      id: id, isRunning: isRunning, statistics: statistics, bytesSent: sent.bytes, roundTrip: nil)
  }

  func offer(_ item: StreamItem) {
    guard !hasEnded else { return }
    var event = item.event
    var time: Int64 = 0
    if case .sample(let sample) = event {
      do {
        let placed: CodedSample
        (placed, time) = try clock.place(sample, item.time)
        event = .sample(placed)
      } catch {
        return end(MediaError(error))
      }
    }
    for drop in queue.put(event, time: time) {
      statistics.drops[drop.kind, default: 0] += drop.samples
      statistics.droppedBytes += drop.bytes
      onEvent(.dropped(drop))
    }
  }

  // MARK: The thread

  private func work() {
    var backoff = Backoff()
    while true {
      let attempt = backoff.failures + 1
      tell { $0.onEvent(.opening($0.sink.name, attempt: attempt)) }
      let reason: MediaError
      do {
        try sink.open()
        queue.open()
        backoff.reset()
        tell { $0.begin() }
        try sink.send(QueuedSource(tracks: queue.tracks, details: details, queue: queue))
        return tell { $0.end(nil) }
      } catch {
        reason = MediaError(error)
      }
      queue.close()
      // An error in the stream itself would occur on every connection.
      let isFinal = reason.kind != .io
      let wait = backoff.fail()
      if stopping.isStopped { return tell { $0.end(nil) } }
      if queue.isOver || isFinal || backoff.failures > retries { return tell { $0.end(reason) } }
      tell { $0.lose(reason, wait) }
      queue.waitForEnd(atMost: wait)
    }
  }

  private func tell(_ body: @escaping @Sendable (SinkRun) -> Void) { loop.perform { body(self) } }

  private func begin() {
    (isRunning, isOpening) = (true, false)
    onEvent(.sending(sink.name, from: state(id: 0).statistics.time))
    onTurn()
  }

  private func lose(_ reason: MediaError, _ wait: Int64) {
    if isRunning { statistics.losses += 1 }
    (isRunning, isOpening) = (false, false)
    onEvent(.lost(reason.message, retryAfter: .nanoseconds(wait)))
    onTurn()
  }

  private func end(_ error: MediaError?) {
    guard !hasEnded else { return }
    hasEnded = true
    (isRunning, isOpening) = (false, false)
    outcome = error
    stop()
    onEvent(.ended(state(id: 0).statistics))
    onEnd()
  }
}
