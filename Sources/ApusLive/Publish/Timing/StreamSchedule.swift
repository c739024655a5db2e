// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples

/// Decides when the items of a stream leave for its targets, as a state machine without a clock.
struct StreamSchedule: Sendable {
  /// The state of the targets, on which departures depend.
  struct Targets {
    /// Whether a target accepts the stream.
    var isRunning = false
    /// Whether the first attempt to connect to a target is still under way.
    var isOpening = false
    /// Whether all targets that get the stream take more without being about to drop something.
    var hasRoom = false
  }

  private var pacer: Pacer
  /// The time until which the stream waits at its start for targets whose first attempt to connect is under way, so that
  /// they get it from its beginning; `nil` if it does not wait.
  private var deadline: Int64?
  private var timeline = Timeline()
  /// The item that leaves next.
  private var next: StreamItem?
  /// Whether the state of the targets, and not only time, keeps the next item from leaving.
  private(set) var isHeldBack = false

  init(_ pace: Pacer.Mode) { pacer = Pacer(pace) }

  /// Lets the stream wait at its start for targets that are still connecting, for three seconds at most.
  mutating func waitAtStart(at now: Int64) { deadline = now + 3_000_000_000 }

  /// Removes and returns the first of the entries, with its time in the stream, if it may leave.
  mutating func take(from entries: inout Queue<StreamEntry>, _ targets: Targets, at now: Int64)
    throws -> StreamEntry?
  {
    if let deadline, !targets.isOpening || now >= deadline { self.deadline = nil }
    isHeldBack = !canLeave(targets)
    if isHeldBack { return nil }
    if next == nil {
      guard let entry = entries.removeFirst() else { return nil }
      guard case .item(var item) = entry, case .sample(let sample) = item.event else {
        return entry
      }
      let joins = timeline.joins
      let (placed, time) = try timeline.place(sample)
      (item.event, item.time, item.isJoined) = (.sample(placed), time, timeline.joins > joins)
      next = item
    }
    guard let item = next, due(item, targets) <= now else {
      isHeldBack = next != nil && pacer.mode == .live
      return nil
    }
    if !pacer.isStarted { pacer.start(item.time, at: now) }
    pacer.leave(item.time, at: now)
    next = nil
    return .item(item)
  }

  /// Returns the time at which `take` has to be called again if nothing else happens; `nil` for never.
  func nextWake(_ targets: Targets) -> Int64? {
    deadline ?? (canLeave(targets) ? next.map { due($0, targets) } : nil)
  }

  private func canLeave(_ targets: Targets) -> Bool {
    switch pacer.mode {
    case .unpaced: targets.isRunning && targets.hasRoom
    case .paced: pacer.isStarted || (targets.isRunning && deadline == nil)
    case .live: deadline == nil
    }
  }

  private func due(_ item: StreamItem, _ targets: Targets) -> Int64 {
    pacer.isStarted ? pacer.due(item.time, hasRoom: targets.hasRoom) : .min
  }
}
