// SPDX-License-Identifier: MIT

/// Which bytes of a file its samples are in: each byte of media data should belong to one.
struct MediaCoverage {
  private var ranges: [Range<Int>] = []

  struct Sums {
    /// The bytes of media data that belong to no sample.
    var unused = 0
    /// How often bytes belong to further samples.
    var shared = 0
    /// The bytes of samples that are not in media data.
    var outside = 0
  }

  mutating func add(_ more: [Range<Int>]) { ranges += more }

  func sums(in data: [Range<Int>]) -> Sums {
    var sums = Sums()
    var covered: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = covered.last, range.lowerBound <= last.upperBound else {
        covered.append(range)
        continue
      }
      let again = min(last.upperBound, range.upperBound) - range.lowerBound
      sums.shared = sums.shared.addingReportingOverflow(again).partialValue
      covered[covered.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
    sums.outside = covered.reduce(0) { $0 + $1.count }
    var place = 0
    for box in data.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      while place < covered.count, covered[place].upperBound <= box.lowerBound { place += 1 }
      sums.unused += box.count
      for range in covered[place...].prefix(while: { $0.lowerBound < box.upperBound }) {
        let part = range.clamped(to: box)
        sums.unused -= part.count
        sums.outside -= part.count
      }
    }
    return sums
  }
}
