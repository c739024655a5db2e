// SPDX-License-Identifier: MIT

import Testing

@testable import ApusBytes

struct OccurrenceTests {
  @Test(arguments: [
    ("rtmp://host", "://", 4..<7), ("aab", "ab", 1..<3), ("abcabd", "abd", 3..<6),
    ("ab", "ab", 0..<2),
    ("ab", "abc", nil), ("", "a", nil), ("ab", "", nil),
  ])
  func `it finds words where they first are`(_ text: String, _ words: String, _ place: Range<Int>?)
  {
    #expect(Array(text.utf8).firstOccurrence(of: Array(words.utf8)) == place)
    #expect(text.holds(words) == (place != nil))
  }

  @Test(arguments: [
    ("a --> b --> c", "-->", "--&gt;", "a --&gt; b --&gt; c"), ("--->", "-->", "x", "-x"),
    ("größe_ä", "_", " ", "größe ä"), ("none", "_", " ", "none"), ("aaa", "aa", "", "a"),
  ])
  func `it puts other words there`(
    _ text: String, _ words: String, _ other: String, _ expected: String
  ) {
    #expect(text.with(other, for: words) == expected)
  }
}
