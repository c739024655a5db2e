// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@Suite struct Date1904Tests {
  /// The seconds are those that Python's `datetime` counts from 1904.
  @Test(
    arguments: [
      ("2026-11-21T02:18:55Z", 3_878_072_335), ("2026-11-21 02:18:55", 3_878_072_335),
      ("2026-11-21T03:18:55+01:00", 3_878_072_335), ("2026-11-21T03:18:55+0100", 3_878_072_335),
      ("2026-11-20T23:48:55.250-02:30", 3_878_072_335), ("2026-11-21T02:18:55.5", 3_878_072_335),
      ("1904-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 3_034_713_599),
    ] as [(String, UInt64)])
  func `it reads a moment in its zone`(_ text: String, _ seconds: UInt64) {
    #expect(Date1904(iso8601: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T02:18:55+1:00", "2026-11-21T02:18:55+01:60",
    "2026-11-21T02:18:55+24:00", "2026-11-21T02:18:55.", "2026-11-21T02:18:55.x",
    "2026-11-21T02:18:55.5ZZ", "2026-11-21T02:18:55 Z", "1903-12-31T23:59:59Z",
    "1904-01-01T00:00:00+00:01", "2026-13-21T02:18:55Z", "2026-11-21T24:18:55Z",
  ])
  func `it refuses what is no moment`(_ text: String) { #expect(Date1904(iso8601: text) == nil) }
}
