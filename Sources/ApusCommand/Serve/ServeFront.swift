// SPDX-License-Identifier: MIT

import Threads

/// Requests whose files were not looked at yet, in the order in which they came. That takes a moment, so those that
/// need no worker are answered however many wait for one.
final class ServeFront: Sendable {
  typealias Job = @Sendable () -> Void

  private let state = Monitor<[Job]>([])
  /// Threads, so that a large file does not hold up all others.
  private static let threads = 2

  /// Starts the threads. Returns whether there is one at least.
  func start() -> Bool {
    (0..<Self.threads).reduce(false) { isStarted, _ in
      Thread.start { [state] in
        while true { state.wait { $0.isEmpty ? nil : $0.removeFirst() }() }
      } || isStarted
    }
  }

  func add(_ job: @escaping Job) { state.change { $0.append(job) } }
}
