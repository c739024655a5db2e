// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ApusFiles

struct OutputLockTests {
  private final class Turns: Sendable {
    let inside = Atomic(0)
    let most = Atomic(0)

    func take(_ path: String) {
      let lock = OutputLock(path)
      most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      // Others come while it is held, and look at its file while that is removed.
      for _ in 0..<20 { sched_yield() }
      inside.subtract(1, ordering: .relaxed)
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `outputs of one name take turns and leave nothing`() async throws {
    let folder = try TestFolder()
    let path = folder.file("out.m3u8")
    let turns = Turns()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2000 { turns.take(path) }
        }
      }
    }
    #expect(turns.most.load(ordering: .relaxed) == 1)
    #expect(try folder.listing().isEmpty)
  }
}
