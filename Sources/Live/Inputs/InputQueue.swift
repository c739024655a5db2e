// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import Media
internal import Threads

/// Hands what an input gives from the thread that reads it to one that waits only so long, so many bytes at most at a
/// time.
final class InputQueue: Sendable {
  enum Entry: Sendable {
    /// What follows are samples of these tracks, from the beginning of an input.
    case begin(OpenedInput)
    case event(SourceEvent)
    /// The input is over for good.
    case end(MediaError?)
  }

  private struct State {
    var entries: [Entry] = []
    var next = 0
    var bytes = 0
  }

  private let state = Monitor(State())
  private let bell: Bell
  private static let capacity = 16 << 20
  /// However small they are.
  private static let most = 4096

  init() throws(MediaError) { bell = try Bell() }

  /// Waits while there is no room.
  func put(_ entry: Entry) {
    let bytes = Self.bytes(of: entry)
    state.wait { state -> Void? in
      let count = state.entries.count - state.next
      guard count == 0 || (count < Self.most && state.bytes + bytes <= Self.capacity) else {
        return nil
      }
      state.entries.append(entry)
      state.bytes += bytes
      return ()
    }
    bell.ring()
  }

  /// The next entry; waits for it until a time of the bell's clock, and answers `nil` then.
  func next(until time: Int64 = .max) -> Entry? {
    while true {
      let entry = state.change { state -> Entry? in
        guard state.next < state.entries.count else { return nil }
        let entry = state.entries[state.next]
        state.next += 1
        state.bytes -= Self.bytes(of: entry)
        if state.next == state.entries.count { (state.entries, state.next) = ([], 0) }
        return entry
      }
      if let entry { return entry }
      guard Bell.now < time else { return nil }
      bell.wait(until: time)
    }
  }

  private static func bytes(of entry: Entry) -> Int {
    guard case .event(.sample(let sample)) = entry else { return 0 }
    return sample.payload.count
  }
}
