// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import Media
internal import Threads

/// Passes events from the thread that reads an input to one that waits for them for a limited time, with a limit on the
/// bytes that wait.
final class InputQueue: Sendable {
  enum Entry: Sendable {
    /// The entries that follow belong to an input with these tracks, from its beginning.
    case begin(OpenedInput)
    case event(SourceEvent)
    /// The input has ended for good.
    case end(MediaError?)
  }

  private struct State {
    var entries = Queue<Entry>()
    var bytes = 0
    /// Called once half of the capacity is free again.
    var onRoom: (@Sendable () -> Void)?

    mutating func append(_ entry: Entry) {
      entries.append(entry)
      bytes += entry.bytes
    }
  }

  private let state = Monitor(State())
  private let capacity: Int
  /// The maximum number of entries, whatever their size.
  private static let most = 4096

  /// - Parameter capacity: the number of bytes that may wait; a single entry always may.
  init(capacity: Int = 16 << 20) { self.capacity = capacity }

  /// Adds an entry, waiting until there is room.
  func put(_ entry: Entry) {
    state.wait { state -> Void? in
      guard
        state.entries.isEmpty
          || (state.entries.count < Self.most && state.bytes + entry.bytes <= capacity)
      else { return nil }
      state.append(entry)
      return ()
    }
    wakeOthers()
  }

  /// Adds an entry without waiting, for a thread that has other work.
  ///
  /// - Parameter onRoom: called by the thread that takes entries, once there is room again. The caller pauses until
  ///   then.
  /// - Returns: whether there is room for another.
  func add(_ entry: Entry, onRoom: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      state.append(entry)
      let isFull = state.bytes >= capacity || state.entries.count >= Self.most
      if isFull { state.onRoom = onRoom }
      return !isFull
    }
  }

  /// Waits for the next entry and returns it, or returns `nil` at a time of `MonotonicTime`.
  func next(until time: Int64 = .max) -> Entry? {
    let taken = state.wait(until: time) { state -> (Entry, (@Sendable () -> Void)?)? in
      guard let entry = state.entries.removeFirst() else { return nil }
      state.bytes -= entry.bytes
      guard state.bytes <= capacity / 2, state.entries.count <= Self.most / 2 else {
        return (entry, nil)
      }
      defer { state.onRoom = nil }
      return (entry, state.onRoom)
    }
    if taken != nil { wakeOthers() }
    taken?.1?()
    return taken?.0
  }

  private func wakeOthers() { state.change { _ in } }
}

extension InputQueue.Entry {
  fileprivate var bytes: Int {
    guard case .event(.sample(let sample)) = self else { return 0 }
    return sample.payload.count
  }
}
