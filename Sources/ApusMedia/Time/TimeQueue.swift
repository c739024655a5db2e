// SPDX-License-Identifier: MIT

/// Numbers ordered by time, with the lower number first for equal times: the next of many tracks is found in
/// logarithmic time.
public struct TimeQueue: Sendable {
  private struct Entry: Sendable {
    var time: RationalTime
    var number: Int
  }

  /// A binary heap, in which each entry is no later than the two below it.
  private var entries: [Entry] = []
  /// The number of comparisons so far.
  public private(set) var comparisons = 0

  public init() {}

  /// Whether the queue contains no numbers.
  public var isEmpty: Bool { entries.isEmpty }

  /// The number with the earliest time.
  public var first: Int? { entries.first?.number }

  /// Inserts a number in logarithmic time.
  public mutating func insert(_ number: Int, at time: RationalTime) {
    entries.append(Entry(time: time, number: number))
    var place = entries.count - 1
    while place > 0, comes(place, before: (place - 1) / 2) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Sets another time for the first number; with `nil`, removes it.
  public mutating func replaceFirst(at time: RationalTime?) {
    guard !entries.isEmpty else { return }
    if let time {
      entries[0].time = time
    } else {
      let last = entries.removeLast()
      guard !entries.isEmpty else { return }
      entries[0] = last
    }
    var place = 0
    while true {
      var least = place
      let left = 2 * place + 1
      for child in left..<max(left, min(left + 2, entries.count)) {
        if comes(child, before: least) { least = child }
      }
      guard least != place else { return }
      entries.swapAt(place, least)
      place = least
    }
  }

  private mutating func comes(_ place: Int, before other: Int) -> Bool {
    comparisons &+= 1
    let (mine, others) = (entries[place], entries[other])
    if mine.time.isBefore(others.time) { return true }
    return mine.number < others.number && !others.time.isBefore(mine.time)
  }
}
