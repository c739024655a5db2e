// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ApusThreads

/// The items that a sink has yet to send: all of them from a key frame on, or none.
final class SinkQueue: Sendable {
  private struct State {
    var events = Queue<SourceEvent>()
    var bytes = 0
    /// The decoding times of the first and last sample in the queue, in nanoseconds.
    var times: (first: Int64, last: Int64)?
    /// Whether there is a reader.
    var isOpen = false
    var needsKey = true
    var isOver = false
    /// The tracks with their current formats, for a reader that begins.
    var tracks: [CodedTrack]
    var sent = (samples: 0, bytes: 0, time: Int64(0))
  }

  private let state: Monitor<State>
  private let leader: Int
  private let longest: Int64
  private static let capacity = 64 << 20

  /// - Parameter longest: nanoseconds of the stream that may wait.
  init(_ tracks: [CodedTrack], longest: Int64) {
    state = Monitor(State(tracks: tracks))
    leader = tracks.firstIndex { $0.kind == .video } ?? 0
    self.longest = longest
  }

  /// Adds an event.
  ///
  /// - Parameter time: the decoding time of a sample, in nanoseconds.
  /// - Returns: the samples that were dropped.
  func put(_ event: SourceEvent, time: Int64) -> [Drop] {
    state.change { state in
      guard case .sample(let sample) = event else {
        if case .format(let track, let format) = event { state.tracks[track].format = format }
        if state.isOpen, !state.needsKey { state.events.append(event) }
        return []
      }
      var drops: [Drop] = []
      let place = Duration.nanoseconds(max(time, 0))
      guard state.isOpen else {
        drops.add(.outage, bytes: sample.payload.count, time: place)
        return drops
      }
      if let times = state.times, !state.needsKey,
        time - times.first > longest || state.bytes > Self.capacity
      {
        drops = leaveOut(&state)
      }
      if state.needsKey {
        guard sample.track == leader, sample.isSync else {
          drops.add(.untilKeyFrame, bytes: sample.payload.count, time: place)
          return drops
        }
        state.needsKey = false
      }
      state.events.append(event)
      state.bytes += sample.payload.count
      state.times = (state.times?.first ?? time, time)
      return drops
    }
  }

  /// Drops all items, which are too late. The formats among them are kept.
  private func leaveOut(_ state: inout State) -> [Drop] {
    var drops: [Drop] = []
    let rest = state.events.all
    for case .sample(let sample) in rest {
      let time = max(sample.decodeTime.floored(to: 1000) ?? 0, 0)
      drops.add(.untilKeyFrame, bytes: sample.payload.count, time: .milliseconds(time))
    }
    state.events = Queue(rest.filter { if case .format = $0 { true } else { false } })
    (state.bytes, state.times, state.needsKey) = (0, nil, true)
    return drops
  }

  /// Begins reading at the next key frame.
  func open() {
    state.change { state in
      (state.events, state.bytes, state.times) = (Queue(), 0, nil)
      (state.isOpen, state.needsKey) = (true, true)
    }
  }

  func close() { state.change { $0.isOpen = false } }

  /// Marks the end: nothing more is added.
  func end() { state.change { $0.isOver = true } }

  var isOver: Bool { state.withLock(\.isOver) }

  /// Waits this many nanoseconds, or until the end is reached.
  func waitForEnd(atMost nanoseconds: Int64) {
    _ = state.wait(until: MonotonicTime.now + nanoseconds) { $0.isOver ? () : nil }
  }

  var tracks: [CodedTrack] { state.withLock(\.tracks) }
  var sent: (samples: Int, bytes: Int, time: Int64) { state.withLock(\.sent) }
  var waiting: (bytes: Int, time: Int64) {
    state.withLock { ($0.bytes, $0.times.map { $0.last - $0.first } ?? 0) }
  }

  /// Waits for the next event and returns it; returns `nil` at the end.
  func next() -> SourceEvent? {
    state.wait { state -> SourceEvent?? in
      guard let event = state.events.removeFirst() else { return state.isOver ? .some(nil) : nil }
      if case .sample(let sample) = event {
        let bytes = sample.payload.count
        state.bytes -= bytes
        let time = sample.decodeTime.floored(to: 1_000_000_000) ?? 0
        state.times = state.times.map { (max($0.first, time), $0.last) }
        state.sent.samples += 1
        state.sent.bytes += bytes
        state.sent.time = max(state.sent.time, time)
      }
      if state.events.isEmpty { state.times = nil }
      return .some(event)
    }
  }
}

/// The items in a queue, as the source of one connection.
struct QueuedSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  let details: MediaDetails
  let queue: SinkQueue

  mutating func next() throws -> SourceEvent? { queue.next() }
}
