// SPDX-License-Identifier: MIT

import Testing

@testable import ApusContainers

/// Ranges of samples beside media data, and what a map of all bytes says about them.
struct CoverageRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var samples: [Range<Int>]
  var data: [Range<Int>]

  init(_ name: String, _ samples: [Range<Int>], _ data: [Range<Int>]) {
    (testDescription, self.samples, self.data) = (name, samples, data)
  }

  /// How many samples each of 64 bytes belongs to.
  private func counts(_ ranges: [Range<Int>]) -> [Int] {
    (0..<64).map { place in ranges.count { $0.contains(place) } }
  }

  var isExact: Bool { counts(samples) == counts(data) }

  var unused: Int { zip(counts(samples), counts(data)).count { $0 == 0 && $1 > 0 } }
  var outside: Int { zip(counts(samples), counts(data)).count { $0 > 0 && $1 == 0 } }
  var shared: Int { counts(samples).reduce(0) { $0 + max(0, $1 - 1) } }
}

@Suite struct MediaCoverageTests {
  static let rows = [
    CoverageRow("nothing", [], []),
    CoverageRow("one box", [8..<20], [8..<20]),
    CoverageRow("samples in turns", [8..<12, 16..<20, 12..<16], [8..<20]),
    CoverageRow("a sample over the border of two boxes", [8..<20, 20..<30], [8..<15, 15..<30]),
    CoverageRow("empty samples", [8..<8, 8..<20, 20..<20], [8..<20]),
    CoverageRow("a gap", [8..<12, 16..<20], [8..<20]),
    CoverageRow("a gap as long as what is given twice", [8..<14, 10..<14, 18..<20], [8..<20]),
    CoverageRow("all of it twice", [8..<20, 8..<20], [8..<20]),
    CoverageRow("another place", [8..<20], [28..<40]),
    CoverageRow("beyond the end", [8..<24], [8..<20]),
    CoverageRow("no media data", [8..<24], []),
    CoverageRow("no samples", [], [8..<20]),
  ]

  @Test(arguments: rows) func `it tells whether samples cover the media data`(row: CoverageRow) {
    var coverage = MediaCoverage()
    for range in row.samples { coverage.add(range) }
    #expect((coverage == MediaCoverage(row.data)) == row.isExact)
    let gaps = CoverageGaps(between: row.samples, and: row.data)
    #expect(gaps.unused == row.unused && gaps.outside == row.outside && gaps.shared == row.shared)
  }
}
