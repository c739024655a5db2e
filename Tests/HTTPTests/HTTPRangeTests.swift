// SPDX-License-Identifier: MIT

import Testing

@testable import ApusHTTP

@Suite struct HTTPRangeTests {
  /// The field of a request, the size of the body, and what is sent: RFC 9110, 14.1.2.
  static let rows: [(String?, Int, HTTPRange)] = [
    (nil, 10, .all),
    ("bytes=0-0", 10, .stretch(0..<1)),
    ("bytes=0-9", 10, .stretch(0..<10)),
    ("bytes=2-4", 10, .stretch(2..<5)),
    ("bytes=9-9", 10, .stretch(9..<10)),
    ("bytes=00002-004", 10, .stretch(2..<5)),
    // An end beyond the last byte is the last byte.
    ("bytes=2-10", 10, .stretch(2..<10)),
    ("bytes=2-9223372036854775806", 10, .stretch(2..<10)),
    // From a place to the end.
    ("bytes=0-", 10, .stretch(0..<10)),
    ("bytes=9-", 10, .stretch(9..<10)),
    // The last bytes, of which there may be fewer.
    ("bytes=-1", 10, .stretch(9..<10)),
    ("bytes=-10", 10, .stretch(0..<10)),
    ("bytes=-11", 10, .stretch(0..<10)),
    ("bytes=-9223372036854775806", 10, .stretch(0..<10)),
    // Nothing of the body.
    ("bytes=10-", 10, .unsatisfiable),
    ("bytes=10-20", 10, .unsatisfiable),
    ("bytes=9223372036854775806-", 10, .unsatisfiable),
    ("bytes=-0", 10, .unsatisfiable),
    ("bytes=0-", 0, .unsatisfiable),
    ("bytes=0-0", 0, .unsatisfiable),
    // A server may answer with the whole body what it does not support, and must do so where it cannot read the field.
    ("bytes=4-2", 10, .all),
    ("bytes=14-12", 10, .all),
    ("bytes=0-1,4-5", 10, .all),
    ("bytes=0-1,", 10, .all),
    ("bytes=-", 10, .all),
    ("bytes=", 10, .all),
    ("bytes=1", 10, .all),
    ("bytes=--1", 10, .all),
    ("bytes=1--1", 10, .all),
    ("bytes=+1-2", 10, .all),
    ("bytes=1-2x", 10, .all),
    ("bytes=0x1-2", 10, .all),
    ("bytes= 1-2", 10, .all),
    ("bytes=1-99999999999999999999", 10, .all),
    ("bytes=\u{0661}-2", 10, .all),
    ("items=0-1", 10, .all),
    ("0-1", 10, .all),
    ("", 10, .all),
  ]

  @Test(arguments: rows)
  func `it reads the range of a request`(_ text: String?, _ count: Int, _ expected: HTTPRange) {
    #expect(HTTPRange(text, of: count) == expected)
  }
}
