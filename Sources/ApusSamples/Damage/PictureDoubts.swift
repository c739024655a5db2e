// SPDX-License-Identifier: MIT

/// Signs in the headers of pictures that some of them, or parts of them, are missing, although the rest can be read.
package struct PictureDoubts: Sendable {
  /// The kinds of faults, in the order in which they are reported.
  package enum Fault: Int, CaseIterable, Sendable {
    case header, bytes, set, empty, start, slice, short, order, reference
  }

  private struct Tally: Sendable {
    var count = 0
    /// The number of the first picture with the fault, from 1.
    var first = 0
  }

  private var tallies = Array(repeating: Tally(), count: Fault.allCases.count)

  package init() {}

  /// - Parameter picture: the number of the picture in decoding order, from 1.
  mutating func add(_ fault: Fault, in picture: Int, count: Int = 1) {
    guard count > 0 else { return }
    if tallies[fault.rawValue].count == 0 { tallies[fault.rawValue].first = picture }
    tallies[fault.rawValue].count += count
  }

  package var words: [String] {
    Fault.allCases.compactMap { fault in
      let tally = tallies[fault.rawValue]
      guard tally.count > 0 else { return nil }
      let isOne = tally.count == 1
      let what = isOne ? fault.words.one : fault.words.many
      return "\(tally.count) \(what), \(isOne ? "at" : "the first at") picture \(tally.first)"
    }
  }
}

extension PictureDoubts.Fault {
  fileprivate var words: (one: String, many: String) {
    switch self {
    case .header:
      ("NAL unit has an invalid header", "NAL units have invalid headers")
    case .bytes:
      ("NAL unit has invalid bytes", "NAL units have invalid bytes")
    case .set: ("parameter set cannot be read", "parameter sets cannot be read")
    case .empty: ("access unit has no picture", "access units have no picture")
    case .start: ("picture lacks its first slice", "pictures lack their first slices")
    case .slice:
      ("slice is out of place", "slices are out of place")
    case .short: ("slice ends before its last part", "slices end before their last parts")
    case .order:
      (
        "picture has the same place in output order as another",
        "pictures have the same places in output order as others"
      )
    case .reference:
      ("picture that others refer to is missing", "pictures that others refer to are missing")
    }
  }
}
