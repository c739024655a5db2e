// SPDX-License-Identifier: MIT

import Glibc
import Media
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

  private final class Entry: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  func share(_ work: any SharedWork, while body: () -> Void) {
    let begun = Monitor(0)
    var threads: [pthread_t] = []
    for _ in 1..<count {
      let entry = Entry { [self] in
        begun.change { $0 += 1 }
        while work.isOpen, work.takePart() { partsOfOthers.add(1, ordering: .relaxed) }
      }
      var thread = pthread_t()
      let argument = unsafe Unmanaged.passRetained(entry)
      let code = unsafe pthread_create(
        &thread, nil,
        { argument in
          guard let argument = unsafe argument else { return nil }
          unsafe Unmanaged<Entry>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, argument.toOpaque())
      guard code == 0 else {
        unsafe argument.release()
        continue
      }
      threads.append(thread)
    }
    if isLate { begun.wait { [count = threads.count] in $0 == count ? () : nil } }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }
}
