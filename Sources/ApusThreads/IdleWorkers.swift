// SPDX-License-Identifier: MIT

/// Work that several threads may do in parallel: its parts are started in order, each by the next thread that asks for
/// one.
package protocol SharedWork: AnyObject, Sendable {
  /// Whether there is a part that was not started, and for which another thread is useful.
  var isOpen: Bool { get }

  /// Does the next part. Returns `false` if there was none left.
  func takePart() -> Bool
}

/// Threads that take part in the work of others while they are idle.
package protocol IdleWorkers: AnyObject, Sendable {
  /// The number of threads, including the caller's.
  var count: Int { get }

  /// Lets threads that are or become idle take part in a piece of work while `body` runs. When this returns, none of
  /// them takes part any more. Possibly none joins.
  func share(_ work: any SharedWork, while body: () -> Void)
}

extension IdleWorkers {
  /// Does all parts of a piece of work together with idle workers, and returns when all of them have ended.
  package func finish(_ work: any SharedWork) {
    share(work) { while work.takePart() {} }
  }
}
