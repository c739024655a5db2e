// SPDX-License-Identifier: MIT

internal import Bytes

/// Which bytes of a file its samples are in: each byte of media data should belong to one.
struct MediaCoverage {
  private var ranges: [Range<Int>] = []

  struct Sums {
    /// The bytes of media data that belong to no sample. A few zeros at their end are there so that what follows begins
    /// at a round place.
    var unused = 0
    /// How often bytes belong to further samples.
    var shared = 0
    /// The bytes of samples that are not in media data.
    var outside = 0
  }

  private static let padding = 8

  mutating func add(_ more: [Range<Int>]) { ranges += more }

  func sums(in data: [Range<Int>], of source: any ByteSource) throws(SyntaxError) -> Sums {
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
      var rest = box.count
      var end = box.lowerBound
      for range in covered[place...].prefix(while: { $0.lowerBound < box.upperBound }) {
        let part = range.clamped(to: box)
        rest -= part.count
        sums.outside -= part.count
        end = part.upperBound
      }
      let tail = end..<box.upperBound
      if !tail.isEmpty, tail.count <= Self.padding,
        try source.bytes(in: tail).allSatisfy({ $0 == 0 })
      {
        rest -= tail.count
      }
      sums.unused += rest
    }
    return sums
  }
}
