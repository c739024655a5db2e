// SPDX-License-Identifier: MIT

/// How long an input that can be read later, a file or a pipe, waits at its start for servers whose first attempt to connect has
/// neither succeeded nor failed, so that a server that answers late gets the stream from its beginning.
struct StartPatience: Hashable, Sendable {
  /// Nanoseconds.
  static let limit: Int64 = 3_000_000_000

  /// Until when the input waits; `nil` before it begins to, and once it need not wait any more.
  private(set) var deadline: Int64?

  /// Whether the input has to wait, as far as is known.
  var isWaiting: Bool { deadline != nil }

  mutating func begin(at now: Int64) { deadline = now + Self.limit }

  /// Ends the wait where it is over.
  ///
  /// - Parameter isOpening: whether a server is still being connected to for the first time.
  mutating func update(isOpening: Bool, at now: Int64) {
    guard let deadline, !isOpening || now >= deadline else { return }
    self.deadline = nil
  }
}
