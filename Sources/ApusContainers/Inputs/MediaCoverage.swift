// SPDX-License-Identifier: MIT

/// A comparison of the samples of a file with its media data, each byte of which should belong to one sample.
///
/// For millions of samples only a sum is kept: that of the offsets at which their ranges begin, minus that of the
/// offsets at which they end, with each offset replaced by a 64-bit hash. If the samples cover the media data, and
/// nothing twice, it equals the sum for the media data, because inner ends cancel out. Equal sums for different ranges
/// are as improbable as guessing such a hash.
struct MediaCoverage: Equatable {
  private var sum: UInt64 = 0

  init() {}
  init(_ ranges: [Range<Int>]) { for range in ranges { add(range) } }

  mutating func add(_ range: Range<Int>) {
    sum &+= Self.number(of: range.lowerBound) &- Self.number(of: range.upperBound)
  }

  mutating func add(_ other: MediaCoverage) { sum &+= other.sum }

  /// Returns the hash of an offset: its bits mixed as in SplitMix64 (Steele, Lea and Flood, 2014).
  private static func number(of place: Int) -> UInt64 {
    var bits = UInt64(bitPattern: Int64(place)) &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}

/// The differences between the ranges of samples and the media data.
struct CoverageGaps {
  /// The number of bytes of media data that belong to no sample.
  private(set) var unused = 0
  /// The number of bytes that belong to more than one sample.
  private(set) var shared = 0
  /// The number of bytes of samples that are not in media data.
  private(set) var outside = 0

  init(between ranges: [Range<Int>], and data: [Range<Int>]) {
    var covered: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = covered.last, range.lowerBound <= last.upperBound else {
        covered.append(range)
        continue
      }
      let again = min(last.upperBound, range.upperBound) - range.lowerBound
      shared = shared.addingReportingOverflow(again).partialValue
      covered[covered.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
    outside = covered.reduce(0) { $0 + $1.count }
    var place = 0
    for box in data.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      while place < covered.count, covered[place].upperBound <= box.lowerBound { place += 1 }
      unused += box.count
      for range in covered[place...].prefix(while: { $0.lowerBound < box.upperBound }) {
        let part = range.clamped(to: box)
        unused -= part.count
        outside -= part.count
      }
    }
  }
}
