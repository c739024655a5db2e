// SPDX-License-Identifier: MIT

internal import Threads

/// What rows of coding tree blocks that are decoded side by side tell each other.
///
/// Invariant: a block is started when the row above has ended two blocks more, or all it has. So no two threads touch the
/// same samples, units of `BlockGrid` or entries in here at once, and everything that a thread wrote before `reach` is
/// seen by a thread that has returned from `border`, because both hold the lock. Two rows of entries are enough: where a row
/// writes one, the row below has read what two rows above had left there, for it is two blocks ahead.
final class RowExchange: Sendable {
  /// What the block below needs of one.
  struct Border {
    var offsets = SampleAdaptiveOffsets()
    /// `CtDepth` of the lowest units of 8 × 8.
    var depths = InlineArray<8, UInt8>(repeating: 0)
  }

  private struct State {
    var columns = 1
    /// How many blocks of each row have ended.
    var ended: [Int] = []
    /// How many blocks the row below waits for.
    var awaited: [Int] = []
    var hasFailed = false
    var borders: [Border] = []
    var contexts = [SliceDataReader.SavedContexts](repeating: .init(), count: 2)
  }

  private let state = Monitor(State())

  /// A row that has to wait waits for some blocks more than it needs, so as not to be woken for each.
  private static let lead = 4

  /// Forgets the last picture; no thread works on it any more.
  func begin(_ layout: CTBLayout) {
    state.withLock { state in
      state.hasFailed = false
      state.columns = layout.columns
      if state.ended.count != layout.rows { state.ended = Array(repeating: 0, count: layout.rows) }
      for row in state.ended.indices { state.ended[row] = 0 }
      state.awaited = state.ended
      if state.borders.count != 2 * layout.columns {
        state.borders = Array(repeating: Border(), count: 2 * layout.columns)
      }
    }
  }

  /// Waits until a block can be started. Returns what the block above leaves behind; `nil` where a row has failed.
  func border(above row: Int, _ column: Int) -> Border? {
    var hasWaited = false
    return state.wait { state -> Border?? in
      if state.hasFailed { return .some(nil) }
      let needed = min(column + 2 + (hasWaited ? Self.lead : 0), state.columns)
      guard state.ended[row - 1] >= needed else {
        hasWaited = true
        state.awaited[row - 1] = min(column + 2 + Self.lead, state.columns)
        return nil
      }
      state.awaited[row - 1] = 0
      return state.borders[(row - 1) % 2 * state.columns + column]
    }
  }

  /// The contexts that a row begins with.
  func contexts(above row: Int) -> SliceDataReader.SavedContexts {
    state.withLock { $0.contexts[(row - 1) % 2] }
  }

  func keep(_ contexts: SliceDataReader.SavedContexts, of row: Int) {
    state.withLock { $0.contexts[row % 2] = contexts }
  }

  /// A block has ended.
  func reach(_ row: Int, _ column: Int, _ border: Border) {
    let wakes = state.withLock { state in
      state.ended[row] = column + 1
      state.borders[row % 2 * state.columns + column] = border
      return state.awaited[row] > 0 && column + 1 >= state.awaited[row]
    }
    if wakes { state.change { _ in } }
  }

  /// A row is not as announced: no thread may wait for it.
  func fail() { state.change { $0.hasFailed = true } }

  var hasFailed: Bool { state.withLock { $0.hasFailed } }
}
