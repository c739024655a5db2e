// SPDX-License-Identifier: MIT

/// Compares the numbers of slices in pictures: if a stream has several per picture, nearly all pictures have the same
/// number.
struct SliceCounts: Sendable {
  private struct Tally {
    var count = 0
    /// The number of the first picture, from 1.
    var first = 0
  }

  private var tallies: [Int: Tally] = [:]

  /// The number of pictures with the usual number of slices required for each with fewer.
  private static let regular = 8

  mutating func add(_ slices: Int, in picture: Int) {
    var tally = tallies[slices] ?? Tally(first: picture)
    tally.count += 1
    tallies[slices] = tally
  }

  /// Descriptions of the pictures found so far; empty if the number of slices varies, for example because they have a
  /// fixed size.
  var words: [String] {
    let usual = tallies.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    guard let (slices, tally) = usual, slices > 1 else { return [] }
    let fewer = tallies.filter { $0.key < slices }.values
    let count = tallies.values.reduce(-tally.count) { $0 + $1.count }
    guard let first = fewer.map(\.first).min(), tally.count >= count * Self.regular else {
      return []
    }
    let number = fewer.reduce(0) { $0 + $1.count }
    return [
      number == 1
        ? "picture \(first) has fewer slices than the others, which have \(slices)"
        : "\(number) pictures have fewer slices than the others, which have \(slices), "
          + "the first at picture \(first)"
    ]
  }
}
