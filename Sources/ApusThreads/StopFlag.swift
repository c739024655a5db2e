// SPDX-License-Identifier: MIT

internal import Synchronization

/// A request to stop, made by one thread and seen by others.
package final class StopFlag: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isStopped: Bool { flag.load(ordering: .sequentiallyConsistent) }
  package func stop() { flag.store(true, ordering: .sequentiallyConsistent) }
}
