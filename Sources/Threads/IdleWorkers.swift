// SPDX-License-Identifier: MIT

/// Work that several threads may do side by side: parts of it are started in order, each by the thread that comes for it.
public protocol SharedWork: AnyObject, Sendable {
  /// Whether there is a part that no thread has started, and that another thread is of use for.
  var isOpen: Bool { get }

  /// Does the next part. Returns `false` when there was none left.
  func takePart() -> Bool
}

/// Threads that take part in the work of others while they have none of their own.
public protocol IdleWorkers: AnyObject, Sendable {
  /// How many threads there are, the caller's among them.
  var count: Int { get }

  /// Lets idle threads, those that become so included, take part in a piece of work while `body` runs. When this
  /// returns none of them is in it any more. It may be that none comes.
  func share(_ work: any SharedWork, while body: () -> Void)
}

extension IdleWorkers {
  /// Does all parts of a piece of work, together with the workers that are idle, and returns when all of them have ended.
  public func finish(_ work: any SharedWork) {
    share(work) { while work.takePart() {} }
  }
}
