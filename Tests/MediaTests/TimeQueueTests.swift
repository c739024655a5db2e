// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

struct TimeQueueTests {
  @Test func `it answers numbers in the order of their times, the lower first`() {
    var queue = TimeQueue()
    // One second in three units, and times around it.
    let times: [RationalTime] = [
      .init(90000, per: 90000), .init(5, per: 10), .init(1000, per: 1000), .init(-1, per: 1),
      .init(25, per: 25), .init(3, per: 2),
    ]
    for (number, time) in times.enumerated() { queue.insert(number, at: time) }
    var order: [Int] = []
    while let first = queue.first {
      order.append(first)
      queue.replaceFirst(at: nil)
    }
    #expect(order == [3, 1, 0, 2, 4, 5])
  }

  @Test(arguments: [100, 1000, 10_000])
  func `it compares few times, however many tracks there are`(count: Int) {
    var queue = TimeQueue()
    for number in 0..<count {
      queue.insert(number, at: RationalTime(Int64(number * 7919 % count), per: 25))
    }
    // Each track has ten samples, as many as a walk over a file takes.
    for step in 0..<10 * count {
      guard let first = queue.first else { break }
      queue.replaceFirst(at: RationalTime(Int64(first + step), per: 25))
    }
    // Two comparisons for each level of the tree, of which there are as many as the count has bits.
    let levels = Int.bitWidth - count.leadingZeroBitCount
    #expect(queue.comparisons <= 2 * 11 * count * levels)
  }
}
