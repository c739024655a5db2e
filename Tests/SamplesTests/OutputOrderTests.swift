// SPDX-License-Identifier: MIT

import Testing

@testable import ApusSamples

/// Order counts in decoding order, sequences apart by `|`, and the places at which the pictures are shown.
struct OrderRow: Sendable, CustomTestStringConvertible {
  var counts: String
  var places: [Int]
  /// `sps_max_num_reorder_pics` of such a stream.
  var reorder: Int

  var testDescription: String { counts }
}

@Suite struct OutputOrderTests {
  @Test(
    arguments: [
      OrderRow(counts: "0 1 2 3", places: [0, 1, 2, 3], reorder: 0),
      OrderRow(counts: "0 8 4 2 6", places: [0, 4, 2, 1, 3], reorder: 2),
      OrderRow(counts: "0 8 4 2 1 3 6 5 7", places: [0, 8, 4, 2, 1, 3, 6, 5, 7], reorder: 3),
      OrderRow(counts: "0 4 2 | 0 4 2", places: [0, 2, 1, 3, 5, 4], reorder: 1),
      // Leading pictures come before their random access picture, within the sequence.
      OrderRow(counts: "0 2 1 8 4 6 9", places: [0, 2, 1, 5, 3, 4, 6], reorder: 1),
      // Order counts may have gaps, and begin below 0.
      OrderRow(counts: "-8 16 0", places: [0, 2, 1], reorder: 1),
    ], [false, true])
  func `it places each picture`(row: OrderRow, believes: Bool) {
    var order = OutputOrder()
    var places: [Int: Int] = [:]
    let bounds = believes ? OutputOrder.Bounds(reorder: row.reorder) : OutputOrder.Bounds()
    for (number, sequence) in row.counts.split(separator: "|").enumerated() {
      for (index, count) in sequence.split(separator: " ").compactMap({ Int($0) }).enumerated() {
        for placed in order.add(count, startsSequence: index == 0 && number > 0, bounds) {
          places[placed.index] = placed.place
        }
      }
    }
    for placed in order.flush() { places[placed.index] = placed.place }
    #expect(row.places.indices.map { places[$0] } == row.places)
  }

  @Test func `it knows a place as soon as the bounds allow`() {
    var order = OutputOrder()
    let bounds = OutputOrder.Bounds(reorder: 1)
    #expect(order.add(0, startsSequence: true, bounds).isEmpty)
    #expect(order.add(2, startsSequence: false, bounds).map(\.index) == [0])
    #expect(order.add(1, startsSequence: false, bounds).map(\.index) == [2])
    #expect(order.add(3, startsSequence: false, bounds).map(\.index) == [1])
  }

  @Test func `it waits no longer than the latency`() {
    var order = OutputOrder()
    let bounds = OutputOrder.Bounds(reorder: 4, latency: 2)
    _ = order.add(0, startsSequence: true, bounds)
    _ = order.add(8, startsSequence: false, bounds)
    #expect(order.add(4, startsSequence: false, bounds).map(\.index) == [0])
  }

  @Test func `it holds no more than a decoder`() {
    var order = OutputOrder()
    var placed = 0
    for index in 0..<1000 {
      placed += order.add(-index, startsSequence: false, OutputOrder.Bounds()).count
      #expect(index + 1 - placed <= OutputOrder.most)
    }
  }
}
