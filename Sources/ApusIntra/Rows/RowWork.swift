// SPDX-License-Identifier: MIT

internal import ApusThreads

/// Rows that are started in order, each by the first thread that asks for it.
///
/// A row may wait for rows above it: those were started earlier by threads that work on them, so that the first of them
/// never waits and all of them end.
final class RowWork: SharedWork {
  private let count: Int
  private let most: Int
  private let body: @Sendable (Int) -> Void
  private let state = Monitor(State())

  private struct State {
    var next = 0
    var inFlight = 0
  }

  /// - Parameters:
  ///   - most: the maximum number of useful threads.
  ///   - body: works on a row.
  init(count: Int, most: Int, _ body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.most = most
    self.body = body
  }

  var isOpen: Bool { state.withLock { $0.next < count && $0.inFlight < most } }

  func takePart() -> Bool {
    let row = state.withLock { state -> Int? in
      guard state.next < count else { return nil }
      state.next += 1
      state.inFlight += 1
      return state.next - 1
    }
    guard let row else { return false }
    body(row)
    state.withLock { $0.inFlight -= 1 }
    return true
  }
}
