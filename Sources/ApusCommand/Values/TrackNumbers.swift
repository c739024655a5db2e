// SPDX-License-Identifier: MIT

import ApusSamples

/// Numbers of tracks of one kind: `0,2`, or `all`.
struct TrackNumbers: ArgumentValue {
  /// This is `nil` for all.
  var numbers: [Int]?

  init?(argument: String) {
    guard argument != "all" else { return }
    var numbers: [Int] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = UInt16(word) else { return nil }
      numbers.append(Int(number))
    }
    self.numbers = numbers
  }

  static var expected: String { "track numbers such as 1 or 0,2, counted from 0, or all" }
  var argument: String { numbers.map { $0.map(String.init).joined(separator: ",") } ?? "all" }

  /// The tracks of an input with these numbers.
  func choices(_ family: TrackSelection.Family) -> [TrackSelection.Choice] {
    numbers?.map { TrackSelection.Choice(family, $0) } ?? [TrackSelection.Choice(family)]
  }
}
