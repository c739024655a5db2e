// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ISOBMFF

struct CBORTests {
  /// RFC 8949, appendix A; items without a length are shown like others.
  static let rows: [(bytes: String, text: String)] = [
    ("00", "0"), ("1818", "24"), ("1903e8", "1000"), ("1a000f4240", "1000000"),
    ("1bffffffffffffffff", "18446744073709551615"), ("20", "-1"), ("3903e7", "-1000"),
    ("3bffffffffffffffff", "-18446744073709551616"), ("fb3ff199999999999a", "1.1"),
    ("f4", "false"), ("f5", "true"), ("f6", "null"), ("f7", "undefined"),
    ("f0", "simple(16)"), ("f8ff", "simple(255)"), ("40", "h''"), ("4401020304", "h'01020304'"),
    ("60", "\"\""), ("6449455446", "\"IETF\""), ("62225c", "\"\\\"\\\\\""), ("62c3bc", "\"ü\""),
    ("80", "[]"), ("8301820203820405", "[1, [2, 3], [4, 5]]"), ("a0", "{}"),
    ("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"),
    (
      "c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")"
    ),
    ("d74401020304", "23(h'01020304')"), ("5f42010243030405ff", "h'0102030405'"),
    ("7f657374726561646d696e67ff", "\"streaming\""),
    ("9f018202039f0405ffff", "[1, [2, 3], [4, 5]]"),
    ("bf61610161629f0203ffff", "{\"a\": 1, \"b\": [2, 3]}"),
  ]

  @Test(arguments: rows) func `it reads what the standard writes`(
    _ row: (bytes: String, text: String)
  )
    throws
  {
    let bytes = hex(row.bytes)
    let item = try #require(CBORItem(reading: Extent(bytes)))
    #expect(item.diagnostic == row.text)
    #expect(try item.encoded() == bytes)
    for count in bytes.indices {
      #expect(CBORItem(reading: Extent(Array(bytes.prefix(count)))) == nil, "\(count) bytes")
    }
  }

  @Test(arguments: [
    "1c", "1f", "df", "9bffffffffffffffff", "bbffffffffffffffff", "5bffffffffffffffff",
  ])
  func `it refuses what is not well formed`(_ bytes: String) {
    #expect(CBORItem(reading: Extent(hex(bytes))) == nil)
  }

  @Test func `it refuses items that are nested too deep`() {
    let arrays = [UInt8](repeating: 0x81, count: 1 << 16) + [0]
    #expect(CBORItem(reading: Extent(arrays)) == nil)
    let endless = [UInt8](repeating: 0x9f, count: 1 << 16) + [0]
    #expect(CBORItem(reading: Extent(endless)) == nil)
  }
}
