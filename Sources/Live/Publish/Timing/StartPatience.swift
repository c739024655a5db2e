// SPDX-License-Identifier: MIT

/// The wait of an input that can be delayed, a file or a pipe, for servers whose first attempt to connect has neither
/// succeeded nor failed, so that a server that answers late gets the stream from its beginning.
struct StartPatience: Hashable, Sendable {
  /// The longest wait in nanoseconds.
  static let limit: Int64 = 3_000_000_000

  /// The time at which the wait ends; `nil` before it begins, and when it is no longer necessary.
  private(set) var deadline: Int64?

  /// Whether the input has to wait, as far as known.
  var isWaiting: Bool { deadline != nil }

  mutating func begin(at now: Int64) { deadline = now + Self.limit }

  /// Ends the wait if it is over.
  ///
  /// - Parameter isOpening: whether the first attempt to connect to a server is still under way.
  mutating func update(isOpening: Bool, at now: Int64) {
    guard let deadline, !isOpening || now >= deadline else { return }
    self.deadline = nil
  }
}
