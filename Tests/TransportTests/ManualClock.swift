// SPDX-License-Identifier: MIT

import ApusTransport
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
  private let time = Atomic<Int64>(1)

  func advance(by nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }

  var clock: LoopClock { LoopClock { self.time.load(ordering: .relaxed) } }
}
