// SPDX-License-Identifier: MIT

import ApusJSON
import Testing

@Suite struct JSONReaderTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var document: String
    var value: JSONValue
    var testDescription: String { document }
  }

  static let rows: [Row] = [
    Row(document: "null", value: .null),
    Row(document: " true\n", value: .truth(true)),
    Row(document: "[]", value: .array([])),
    Row(document: "{}", value: .object([])),
    Row(
      document: "[1, -0, 1.50, 1e5, -2.5E-3]",
      value: .array(
        ["1", "-0", "1.50", "1e5", "-2.5E-3"].map { .number($0) })),
    Row(
      document: #"{"a":{"b":[false]},"":0}"#,
      value: .object([
        .init("a", .object([.init("b", .array([.truth(false)]))])), .init("", .number("0")),
      ])),
    Row(document: #""\"\\\/\b\f\n\r\t""#, value: .text("\"\\/\u{8}\u{c}\n\r\t")),
    Row(document: #""\u0041\u00e9\u4E2d\ud83D\uDe00""#, value: .text("Aé中😀")),
    Row(document: "\"é😀\u{7f}\"", value: .text("é😀\u{7f}")),
    Row(document: "\"\\u0000\"", value: .text("\0")),
  ]

  @Test(arguments: rows)
  func `it reads what RFC 8259 allows`(_ row: Row) throws {
    #expect(try JSONReader.value(of: Array(row.document.utf8)) == row.value)
  }

  static let broken: [(String, Int)] = [
    ("", 0), (" ", 1), ("nul", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1),
    ("{\"a\" 1}", 5), ("{\"a\":1,\"a\":2}", 7), ("01", 1), ("-", 1), ("1.", 2), (".5", 0),
    ("1e", 2),
    ("+1", 0), ("NaN", 0), ("\"a", 2), ("\"\n\"", 1), ("\"\\x\"", 2), ("\"\\u12g4\"", 3),
    ("\"\\ud800\"", 7), ("\"\\ud800\\u0041\"", 13), ("\"\\udc00\"", 7), ("1 2", 2), ("[", 1),
    ("{", 1), ("// no\n1", 0), ("'a'", 0), ("\u{feff}1", 0),
  ]

  @Test(arguments: broken)
  func `it refuses everything else, and says where`(_ row: (document: String, offset: Int)) {
    #expect {
      _ = try JSONReader.value(of: Array(row.document.utf8))
    } throws: {
      ($0 as? JSONError)?.offset == row.offset
    }
  }

  @Test
  func `it refuses bytes that are no UTF-8`() {
    for bytes: [UInt8] in [
      [0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22],
    ] {
      #expect(throws: JSONError(message: "text is no UTF-8", offset: 1)) {
        try JSONReader.value(of: bytes)
      }
    }
  }

  @Test
  func `it does not go deeper than it can`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      [UInt8](repeating: 0x5b, count: depth) + [UInt8](repeating: 0x5d, count: depth)
    }
    _ = try JSONReader.value(of: nested(128))
    #expect(throws: JSONError.self) { try JSONReader.value(of: nested(129)) }
    #expect(throws: JSONError.self) {
      try JSONReader.value(of: [UInt8](repeating: 0x5b, count: 1_000_000))
    }
  }

  @Test
  func `it says which numbers are whole and which fit`() throws {
    #expect(JSONValue.number("9223372036854775807").integer == .max)
    #expect(JSONValue.number("9223372036854775808").integer == nil)
    #expect(JSONValue.number("1.0").integer == nil)
    #expect(JSONValue.number("1e400").double == nil)
    #expect(JSONValue.number("1.5").double == 1.5)
  }
}
