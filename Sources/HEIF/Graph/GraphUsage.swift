// SPDX-License-Identifier: MIT

internal import Synchronization

/// How many items and references of a graph were looked at: what a job costs, whatever the machine.
final class GraphUsage: Sendable {
  private let sum = Atomic<Int>(0)

  var total: Int { sum.load(ordering: .relaxed) }

  func count(_ number: Int) { sum.add(number, ordering: .relaxed) }
}
