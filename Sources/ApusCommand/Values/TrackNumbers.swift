// SPDX-License-Identifier: MIT

import Flow

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

  static var expected: String { "numbers of tracks such as 1 or 0,2, counted from 0, or all" }
  var argument: String { numbers.map { $0.map(String.init).joined(separator: ",") } ?? "all" }

  /// The same among all tracks of an input.
  func choices(_ family: TrackSelection.Family) -> [TrackSelection.Choice] {
    numbers?.map { TrackSelection.Choice(family, $0) } ?? [TrackSelection.Choice(family)]
  }
}
