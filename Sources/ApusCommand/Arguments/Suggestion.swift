// SPDX-License-Identifier: MIT

extension Sequence<String> {
  /// Returns the word that was probably meant: at most a third of its letters differ.
  func nearest(to typed: String) -> String? {
    let letters = Array(typed.unicodeScalars)
    let candidates = map { (word: $0, distance: distance(letters, Array($0.unicodeScalars))) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    let name = best.word.drop { $0 == "-" }
    return best.distance <= Swift.max(1, name.count / 3) && name.count > 1 ? best.word : nil
  }
}

/// Returns the number of letters to insert, delete, replace or swap with a neighbour.
private func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var before: [Int] = []
  var above = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var best = Swift.min(above[column + 1], current[column]) + 1
      best = Swift.min(best, above[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        best = Swift.min(best, before[column - 1] + 1)
      }
      current.append(best)
    }
    (before, above) = (above, current)
  }
  return above[right.count]
}
