// SPDX-License-Identifier: MIT

/// Compares how many slices pictures have, which is the same number for nearly all of them where a stream has several.
struct SliceCounts: Sendable {
  private struct Tally {
    var count = 0
    /// The number of the first picture, from 1.
    var first = 0
  }

  private var tallies: [Int: Tally] = [:]

  /// So many pictures have the usual number for each that has fewer.
  private static let regular = 8

  mutating func add(_ slices: Int, in picture: Int) {
    var tally = tallies[slices] ?? Tally(first: picture)
    tally.count += 1
    tallies[slices] = tally
  }

  /// What was found so far; nothing where pictures have any number of slices, as where those have a size.
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
