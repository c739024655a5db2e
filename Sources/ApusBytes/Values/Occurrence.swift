// SPDX-License-Identifier: MIT

// The module _StringProcessing has similar functions, but includes a parser of regular expressions; a release is built
// without it.

extension Collection where Element: Equatable {
  /// Returns the first range with all elements of another collection in sequence; `nil` if there is none.
  @inlinable
  package func firstOccurrence<Words: Collection>(of words: Words) -> Range<Index>?
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
  /// Returns whether a text is part of this one, compared by scalars.
  @inlinable
  package func holds(_ words: some StringProtocol) -> Bool {
    utf8.firstOccurrence(of: words.utf8) != nil
  }

  /// Returns the text with every occurrence of some words replaced by others.
  package func with(_ other: String, for words: String) -> String {
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
