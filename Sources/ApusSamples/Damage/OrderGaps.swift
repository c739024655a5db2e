// SPDX-License-Identifier: MIT

/// Searches for gaps in the order counts of pictures, which increase by a constant step in a complete stream.
///
/// A stream whose steps vary all the time was encoded that way, and no gaps are reported. Pictures missing at the end
/// of a sequence leave no gap.
struct OrderGaps: Sendable {
  private struct Picture {
    var count: Int
    /// The number of the picture in decoding order, from 1.
    var number: Int
  }

  private struct Tally {
    var count = 0
    var first = 0
  }

  /// Pictures before which others may still come, by their order counts.
  private var waiting: [Picture] = []
  private var last: Int?
  /// The order count after which leading pictures may have been left out, because they cannot be decoded.
  private var opening: Int?
  private var steps: [Int: Tally] = [:]

  /// The most pictures that wait for one that is shown before them (A.4.2).
  private static let mostWaiting = 16
  private static let mostSteps = 64
  /// The number of regular steps required for each gap.
  private static let regular = 4

  /// - Parameters:
  ///   - startsSequence: whether all pictures before it are shown before it.
  ///   - isOpen: whether pictures that lead it cannot be decoded.
  /// - Returns: whether another picture of the same sequence has this count.
  @discardableResult
  mutating func add(_ count: Int, number: Int, startsSequence: Bool, isOpen: Bool) -> Bool {
    if startsSequence {
      while !waiting.isEmpty { leave() }
      last = nil
      opening = isOpen ? count : nil
    }
    let isRepeated = last == count || waiting.contains { $0.count == count }
    let place = waiting.lastIndex { $0.count <= count }.map { $0 + 1 } ?? 0
    waiting.insert(Picture(count: count, number: number), at: place)
    if waiting.count > Self.mostWaiting { leave() }
    return isRepeated
  }

  private mutating func leave() {
    let picture = waiting.removeFirst()
    defer { last = picture.count }
    guard let last, last != opening, picture.count > last else { return }
    let (step, overflow) = picture.count.subtractingReportingOverflow(last)
    guard !overflow, steps[step] != nil || steps.count < Self.mostSteps else { return }
    var tally = steps[step] ?? Tally(first: picture.number)
    tally.count += 1
    tally.first = min(tally.first, picture.number)
    steps[step] = tally
  }

  /// Descriptions of the gaps found so far.
  var words: [String] {
    var whole = self
    while !whole.waiting.isEmpty { whole.leave() }
    let usual = whole.steps.max { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }
    guard let (step, tally) = usual else { return [] }
    let gaps = whole.steps.filter { $0.key > step }
    let count = gaps.values.reduce(0) { $0 + $1.count }
    guard count > 0, tally.count >= count * Self.regular,
      let first = gaps.values.map(\.first).min()
    else { return [] }
    return [
      count == 1
        ? "the order of its pictures has a gap before picture \(first)"
        : "the order of its pictures has \(count) gaps, the first before picture \(first)"
    ]
  }
}
