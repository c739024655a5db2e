// SPDX-License-Identifier: MIT

// The module _StringProcessing has the like, and brings a parser of regular expressions along: a release is built
// without it.

extension Collection where Element: Equatable {
  /// The place where all elements of another collection first follow each other; nil when there are none.
  @inlinable
  public func firstOccurrence<Words: Collection>(of words: Words) -> Range<Index>?
  where Words.Element == Element {
    guard let first = words.first else { return nil }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: words) {
        return start..<rest.index(start, offsetBy: words.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}

extension StringProtocol {
  /// Whether a text is a part of this one, in the same scalars.
  @inlinable
  public func holds(_ words: some StringProtocol) -> Bool {
    utf8.firstOccurrence(of: words.utf8) != nil
  }

  /// The same with other words wherever some are.
  public func with(_ other: String, for words: String) -> String {
    var result = ""
    var rest = self[...]
    while let place = rest.utf8.firstOccurrence(of: words.utf8) {
      result.append(contentsOf: rest[..<place.lowerBound])
      result.append(other)
      rest = rest[place.upperBound...]
    }
    result.append(contentsOf: rest)
    return result
  }
}
