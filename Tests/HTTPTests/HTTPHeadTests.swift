// SPDX-License-Identifier: MIT

import Testing

@testable import ApusHTTP

@Suite struct HTTPHeadTests {
  private static func head(_ headers: (String, String?)...) -> HTTPHead {
    var head = HTTPHead("GET", "/")
    head.headers = headers.map { HTTPHead.Field($0.0, $0.1) }
    return head
  }

  @Test(arguments: ["a", "a-name", "!\"#~", String(repeating: "x", count: 128)])
  func `it keeps the name that a client chose for its request`(_ name: String) {
    var head = Self.head(("x-request-id", name))
    head.identify()
    #expect(head.id == name)
  }

  @Test(arguments: [
    nil, "", "two words", "a\tb", "\u{1b}[31m", "\u{7f}", "é", String(repeating: "x", count: 129),
  ])
  func `it makes a name for a request without a usable one`(_ given: String?) {
    var heads = [HTTPHead("GET", "/"), HTTPHead("GET", "/")]
    for index in heads.indices {
      if let given { heads[index].headers = [HTTPHead.Field("X-Request-Id", given)] }
      heads[index].identify()
      #expect(heads[index].id.count == 16)
      #expect(heads[index].id.allSatisfy { "0123456789abcdef".contains($0) })
    }
    #expect(heads[0].id != heads[1].id)
  }

  @Test func `it finds headers whatever their case, the first of several`() {
    let head = Self.head(("Accept", "text/html"), ("ACCEPT", "image/jpeg"), ("Empty", ""))
    for name in ["accept", "Accept", "ACCEPT"] { #expect(head.header(name) == "text/html") }
    #expect(head.header("empty") == "")
    #expect(head.header("Accep") == nil)
  }

  @Test func `it finds items of the query by their exact names, the first of several`() {
    var head = HTTPHead("GET", "/")
    head.query = [
      HTTPHead.Field("Size", "1"), HTTPHead.Field("size", "2"), HTTPHead.Field("size", "3"),
      HTTPHead.Field("flag", nil), HTTPHead.Field("none", ""),
    ]
    #expect(head.parameter("size") == "2")
    #expect(head.parameter("flag") == nil)
    #expect(head.parameter("none") == "")
    #expect(head.parameter("other") == nil)
  }

  /// The values of `If-None-Match`, and whether the tag "t" is among them by weak comparison: RFC 9110, 8.8.3.2.
  static let tags: [([String], Bool)] = [
    ([], false),
    (["\"t\""], true),
    (["W/\"t\""], true),
    (["\"a\", \"t\""], true),
    (["\"a\",\"t\",\"b\""], true),
    (["\t\"a\" ,\t\"t\"\t"], true),
    (["\"a\", W/\"t\""], true),
    (["\"a\"", "\"t\""], true),
    ([",, \"t\""], true),
    (["\"a\""], false),
    (["t"], false),
    (["\"T\""], false),
    (["w/\"t\""], false),
    (["\"tt\""], false),
    (["W/ \"t\""], false),
    (["\"a\" \"t\""], false),
    ([""], false),
  ]

  @Test(arguments: tags)
  func `it finds a tag among those that the client has`(_ values: [String], _ isMatched: Bool) {
    var head = HTTPHead("GET", "/")
    head.headers = values.map { HTTPHead.Field("if-none-match", $0) }
    #expect(head.isMatched(by: "\"t\"") == isMatched)
    head.headers = values.map { HTTPHead.Field("If-Match", $0) }
    #expect(!head.isMatched(by: "\"t\""))
  }

  @Test(arguments: [
    (nil, nil), ("0", 0), ("17", 17), ("9223372036854775807", .max), ("9223372036854775808", nil),
    ("x", nil), ("", nil),
  ])
  func `it returns the size that a request declares`(_ text: String?, _ count: Int?) {
    let head = text.map { Self.head(("CONTENT-LENGTH", $0)) } ?? Self.head()
    #expect(head.contentLength == count)
  }
}
