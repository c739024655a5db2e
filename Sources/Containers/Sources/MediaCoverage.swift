// SPDX-License-Identifier: MIT

/// Which bytes of a file its samples are in: each byte of media data should belong to one.
struct MediaCoverage {
  private var ranges: [Range<Int>] = []

  mutating func add(_ more: [Range<Int>]) { ranges += more }

  /// How many bytes of the media data belong to no sample, and how often bytes belong to further ones. A few bytes at
  /// the end are there so that what follows begins at a round place.
  func sums(in data: [Range<Int>]) -> (unused: Int, shared: Int) {
    var shared = 0
    var covered: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = covered.last, range.lowerBound <= last.upperBound else {
        covered.append(range)
        continue
      }
      shared =
        shared.addingReportingOverflow(
          min(last.upperBound, range.upperBound) - range.lowerBound
        ).partialValue
      covered[covered.count - 1] =
        last.lowerBound..<max(last.upperBound, range.upperBound)
    }
    var unused = 0
    var place = 0
    let padding = 8
    for box in data.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      var rest = box.count
      var end = box.lowerBound
      while place < covered.count, covered[place].upperBound <= box.lowerBound { place += 1 }
      var index = place
      while index < covered.count, covered[index].lowerBound < box.upperBound {
        let part = covered[index].clamped(to: box)
        rest -= part.count
        end = part.upperBound
        index += 1
      }
      if box.upperBound - end <= padding { rest -= box.upperBound - end }
      unused += rest
    }
    return (unused, shared)
  }
}
