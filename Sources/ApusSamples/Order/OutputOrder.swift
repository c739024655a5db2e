// SPDX-License-Identifier: MIT

/// The order of output that order counts imply, reported picture by picture in decoding order by the "bumping" of ITU-T
/// H.265, C.5.2.
package struct OutputOrder: Sendable {
  /// The most pictures that may wait for one that is shown before them; no decoder holds more than 16.
  package static let most = 16

  /// The limits that a sequence declares for its pictures (`sps_max_num_reorder_pics`, `SpsMaxLatencyPictures`).
  package struct Bounds: Hashable, Sendable {
    package var reorder = OutputOrder.most
    var latency: Int?

    package init(reorder: Int = OutputOrder.most, latency: Int? = nil) {
      self.reorder = reorder
      self.latency = latency
    }
  }

  /// A picture by its place in decoding order, and its place in output order.
  package struct Placed: Hashable, Sendable {
    package var index: Int
    package var place: Int
  }

  private struct Picture {
    var index: Int
    var orderCount: Int
  }

  private var waiting: [Picture] = []
  private var nextIndex = 0
  private var nextPlace = 0

  package init() {}

  /// Adds the next picture in decoding order.
  ///
  /// - Parameter startsSequence: whether all pictures before it are shown before it.
  /// - Returns: the pictures whose places have become known.
  package mutating func add(_ orderCount: Int, startsSequence: Bool, _ bounds: Bounds) -> [Placed] {
    var placed = startsSequence ? flush() : []
    waiting.append(Picture(index: nextIndex, orderCount: orderCount))
    nextIndex += 1
    let reorder = min(max(bounds.reorder, 0), Self.most)
    while waiting.count > reorder || isLate(bounds.latency), let next = bump() {
      placed.append(next)
    }
    return placed
  }

  /// Returns all waiting pictures, in their order.
  package mutating func flush() -> [Placed] {
    var placed: [Placed] = []
    while let next = bump() { placed.append(next) }
    return placed
  }

  private func isLate(_ latency: Int?) -> Bool {
    guard let latency else { return false }
    return waiting.contains { nextIndex - 1 - $0.index >= latency }
  }

  private mutating func bump() -> Placed? {
    guard let first = waiting.indices.min(by: { waiting[$0].orderCount < waiting[$1].orderCount })
    else { return nil }
    defer { nextPlace += 1 }
    return Placed(index: waiting.remove(at: first).index, place: nextPlace)
  }
}
