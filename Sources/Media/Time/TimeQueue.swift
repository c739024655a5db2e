// SPDX-License-Identifier: MIT

/// Numbers in the order of their times, the lower number first where times are equal: which of many tracks comes next
/// is found in logarithmic time, however many tracks a file has.
public struct TimeQueue: Sendable {
  private struct Entry: Sendable {
    var time: RationalTime
    var number: Int
  }

  /// A binary heap: each entry comes no later than the two that lie below it.
  private var entries: [Entry] = []
  /// How many times were compared so far.
  public private(set) var comparisons = 0

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// The number whose time is the earliest.
  public var first: Int? { entries.first?.number }

  public mutating func insert(_ number: Int, at time: RationalTime) {
    entries.append(Entry(time: time, number: number))
    var place = entries.count - 1
    while place > 0, comes(place, before: (place - 1) / 2) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Gives the first number another time; without one it is removed.
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
