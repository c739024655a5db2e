// SPDX-License-Identifier: MIT

import ApusThreads
import Synchronization

/// Threads that have nothing else to do, made anew for each piece of work.
final class TestWorkers: IdleWorkers {
  let count: Int
  /// Whether the caller waits until others have begun.
  private let isLate: Bool
  /// How many parts others than the caller did.
  let partsOfOthers = Atomic(0)

  init(count: Int, isLate: Bool = true) {
    self.count = count
    self.isLate = isLate
  }

  func share(_ work: any SharedWork, while body: () -> Void) {
    let begun = Monitor(0)
    let threads = (1..<count).compactMap { _ in
      Thread { [self] in
        begun.change { $0 += 1 }
        while work.isOpen, work.takePart() { partsOfOthers.add(1, ordering: .relaxed) }
      }
    }
    if isLate { begun.wait { [count = threads.count] in $0 == count ? () : nil } }
    body()
    for thread in threads { thread.join() }
  }
}
