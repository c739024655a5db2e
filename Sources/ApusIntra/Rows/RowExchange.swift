// SPDX-License-Identifier: MIT

internal import ApusThreads

/// The data exchanged between rows of coding tree blocks that are decoded in parallel.
///
/// Invariant: a block is started only after the row above has finished two blocks more, or all of them. So no two
/// threads access the same samples, units of `BlockGrid` or entries in here at once, and everything that a thread wrote
/// before `reach` is visible to a thread that has returned from `border`, because both hold the lock. Two rows of
/// entries are enough: a row writes an entry only after the row between them has read what was left there two rows
/// above.
final class RowExchange: Sendable {
  /// The data of a block that the block below needs.
  struct Border {
    var offsets = SampleAdaptiveOffsets()
    /// The `CtDepth` of the lowest units of 8 × 8.
    var depths = InlineArray<8, UInt8>(repeating: 0)
  }

  private struct State {
    var columns = 1
    /// The number of finished blocks in each row.
    var ended: [Int] = []
    /// The number of blocks that the row below waits for.
    var awaited: [Int] = []
    var hasFailed = false
    var borders: [Border] = []
    var contexts = [SliceDataReader.SavedContexts](repeating: .init(), count: 2)
  }

  private let state = Monitor(State())

  /// The additional blocks that a waiting row waits for, so that it is not woken for each.
  private static let lead = 4

  /// Clears the state of the last picture, on which no thread works any more.
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

  /// Waits until a block can be started. Returns the data of the block above; `nil` if a row has failed.
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

  /// Returns the initial contexts of a row.
  func contexts(above row: Int) -> SliceDataReader.SavedContexts {
    state.withLock { $0.contexts[(row - 1) % 2] }
  }

  func keep(_ contexts: SliceDataReader.SavedContexts, of row: Int) {
    state.withLock { $0.contexts[row % 2] = contexts }
  }

  /// Records that a block has ended.
  func reach(_ row: Int, _ column: Int, _ border: Border) {
    let wakes = state.withLock { state in
      state.ended[row] = column + 1
      state.borders[row % 2 * state.columns + column] = border
      return state.awaited[row] > 0 && column + 1 >= state.awaited[row]
    }
    if wakes { state.change { _ in } }
  }

  /// Records that a row does not match its announcement, so that no thread waits for it.
  func fail() { state.change { $0.hasFailed = true } }

  var hasFailed: Bool { state.withLock { $0.hasFailed } }
}
