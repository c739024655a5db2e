// SPDX-License-Identifier: MIT

internal import Synchronization

/// The number of examined items and references of a graph, which is a machine-independent cost of a job.
final class GraphUsage: Sendable {
  private let sum = Atomic<Int>(0)

  var total: Int { sum.load(ordering: .relaxed) }

  func count(_ number: Int) { sum.add(number, ordering: .relaxed) }
}
