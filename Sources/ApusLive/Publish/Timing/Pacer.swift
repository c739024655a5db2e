// SPDX-License-Identifier: MIT

/// Determines when each sample leaves, by relating the clock of the stream to that of the machine, both in nanoseconds.
public struct Pacer: Sendable {
  /// The rule for when samples leave.
  public enum Mode: Hashable, Sendable {
    /// Each sample leaves at its decoding time, played at `speed`.
    case paced(speed: Double)
    /// Samples leave as they arrive; those that arrive faster than real time wait while the queue has no room.
    case live
    /// Samples leave as fast as the network accepts them.
    case unpaced
  }

  let mode: Mode
  /// The times of the stream and of the machine that correspond; `nil` before the first sample.
  private var anchor: (stream: Int64, machine: Int64)?
  private var last: (stream: Int64, machine: Int64)?

  /// The factor by which samples leave faster after a delay (a process that was stopped, a disk that slept) until they
  /// are on time again, rather than all at once.
  static let hurry: Double = 2

  init(_ mode: Mode) { self.mode = mode }

  var isStarted: Bool { anchor != nil }

  /// Starts the clock with the first sample, which may leave now.
  mutating func start(_ time: Int64, at now: Int64) { anchor = (time, now) }

  private var speed: Double { if case .paced(let speed) = mode { speed } else { 1 } }

  /// Returns the time at which a sample leaves; in the past if it may leave at once.
  ///
  /// - Parameter hasRoom: whether the queue is not about to drop anything.
  func due(_ time: Int64, hasRoom: Bool) -> Int64 {
    guard let anchor, mode != .unpaced, !(mode == .live && hasRoom) else {
      return hasRoom ? .min : .max
    }
    let ideal = Self.moment(anchor, time, speed)
    guard case .paced = mode, let last else { return ideal }
    return max(ideal, Self.moment(last, max(time, last.stream), speed * Self.hurry))
  }

  /// Records that a sample left.
  mutating func leave(_ time: Int64, at now: Int64) {
    last = (time, now)
    guard mode == .live, let anchor else { return }
    // Live input that was late at first, or was stopped for a while, is timed from its latest sample.
    let ideal = Self.moment(anchor, time, 1)
    if now < ideal - Self.patience || now > ideal + Self.patience { self.anchor = (time, now) }
  }

  /// The difference, in nanoseconds, from which on the times of live input are assumed to follow another clock.
  private static let patience: Int64 = 10_000_000_000

  private static func moment(
    _ from: (stream: Int64, machine: Int64), _ time: Int64, _ speed: Double
  ) -> Int64 {
    let (distance, overflow) = time.subtractingReportingOverflow(from.stream)
    guard !overflow, speed > 0, let scaled = Int64(exactly: (Double(distance) / speed).rounded())
    else { return from.machine }
    let (moment, beyond) = from.machine.addingReportingOverflow(scaled)
    return beyond ? .max : moment
  }
}
