// SPDX-License-Identifier: MIT

import ApusJSON
import Testing

@testable import ApusHTTP

@Suite struct HTTPFaultTests {
  /// The version, the fields, and the status with which RFC 9112 has such a request refused; 0 for a request that is allowed.
  static let heads: [(version: String, fields: [(String, String)], status: Int)] = [
    // 3.2: one Host, which only HTTP/1.0 may omit, and which may be empty.
    ("HTTP/1.1", [("Host", "x")], 0),
    ("HTTP/1.1", [("HOST", "")], 0),
    ("HTTP/1.1", [], 400),
    ("HTTP/1.1", [("X-Host", "x")], 400),
    ("HTTP/1.1", [("Host", "x"), ("Host", "x")], 400),
    ("HTTP/1.1", [("Host", "x"), ("Accept", "*/*"), ("hOST", "y")], 400),
    ("HTTP/1.0", [], 0),
    ("HTTP/1.0", [("Host", "x")], 0),
    ("HTTP/1.0", [("Host", "x"), ("Host", "x")], 400),
  ]

  @Test(arguments: heads)
  func `it asks for one Host`(
    _ row: (version: String, fields: [(String, String)], status: Int)
  ) {
    #expect(Self.status(row.fields, row.version) == row.status)
  }

  private static func status(_ fields: [(String, String)], _ version: String = "HTTP/1.1") -> Int {
    var head = HTTPHead("POST", "/")
    head.headers = fields.map { HTTPHead.Field($0.0, $0.1) }
    return head.fault(version: version)?.status ?? 0
  }

  /// RFC 9110, 8.6: digits, and nothing else.
  @Test(arguments: [
    ("0", 0), ("5", 0), ("0005", 0), ("99999999999999999999999", 0),
    ("", 400), ("+5", 400), ("-5", 400), ("5x", 400), ("0x5", 400), ("5, 5", 400), ("5 5", 400),
    ("5.0", 400), (" 5", 400), ("\u{0665}", 400),
  ])
  func `it takes a number for the length`(_ text: String, _ status: Int) {
    #expect(Self.status([("Host", "x"), ("content-length", text)]) == status)
  }

  @Test(arguments: ["5", "6", "x"])
  func `it refuses a second length, even the same`(_ second: String) {
    let fields = [("Host", "x"), ("Content-Length", "5"), ("Content-length", second)]
    #expect(Self.status(fields) == 400)
  }

  /// 6.1 and 6.3 of RFC 9112.
  @Test(arguments: [
    (["chunked"], 0), (["Chunked"], 0), (["CHUNKED"], 0),
    ([""], 501), (["gzip"], 501), (["identity"], 501), (["xchunked"], 501), (["chunkedx"], 501),
    (["gzip, chunked"], 501), (["chunked, gzip"], 501), (["chunked, chunked"], 501),
    (["chunked", "chunked"], 501), (["gzip", "chunked"], 501), (["chunked", "gzip"], 501),
  ])
  func `it knows one coding`(_ codings: [String], _ status: Int) {
    let fields = [("Host", "x")] + codings.map { ("Transfer-Encoding", $0) }
    #expect(Self.status(fields) == status)
    #expect(Self.status(fields, "HTTP/1.0") == 400)
    #expect(Self.status(fields + [("Content-Length", "5")]) == 400)
    #expect(Self.status([("Content-Length", "5")] + fields) == 400)
  }

  /// RFC 9110, 5.6.2.
  @Test(arguments: [
    ("!#$%&'*+-.^_`|~09azAZ", 0),
    ("", 400), ("A B", 400), ("A ", 400), ("A\t", 400), ("A:", 400), ("A\"", 400), ("(A)", 400),
    ("A,B", 400), ("A/B", 400), ("A;", 400), ("A=B", 400), ("A@", 400), ("[A]", 400), ("A\\", 400),
    ("{A}", 400), ("A\u{7f}", 400), ("A\u{0}", 400), ("\u{e4}", 400), ("<", 400), (">", 400),
    ("?", 400),
  ])
  func `it refuses a name that is no token`(_ name: String, _ status: Int) {
    #expect(Self.status([("Host", "x"), (name, "y")]) == status)
  }

  /// RFC 9110, 15.5.1, 15.6.2 and 15.6.4; the answer is in the form of RFC 9457.
  @Test(arguments: [
    (400, "Bad request", "misuse", false), (501, "Not implemented", "misuse", false),
    (503, "Busy", "busy", true),
  ])
  func `it is answered as a problem, at the end of the connection`(
    _ status: Int, _ title: String, _ kind: String, _ isTemporary: Bool
  ) throws {
    let answer = HTTPFault(status, "the reason").answer
    #expect(answer.status == status)
    let fields = Dictionary(answer.headers.map { ($0.name, $0.value) }) { first, _ in first }
    #expect(fields["Content-Type"] == "application/problem+json")
    #expect(fields["Connection"] == "close")
    #expect(fields["Retry-After"] == (isTemporary ? "1" : nil))
    guard case .bytes(let bytes) = answer.body else {
      Issue.record("the body is \(answer.body)")
      return
    }
    let problem = try JSONReader.value(of: bytes)
    #expect(problem["status"]?.integer == status)
    #expect(problem["title"]?.text == title)
    #expect(problem["kind"]?.text == kind)
    #expect(problem["detail"]?.text == "the reason")
    #expect(problem["message"]?.text == "the reason")
  }

  @Test func `its reasons need no escaping`() throws {
    let bad: [[(String, String)]] = [
      [], [("Host", "x"), ("\"", "")], [("Host", "x"), ("Content-Length", "\"")],
      [("Host", "x"), ("Transfer-Encoding", "\"")],
      [("Host", "x"), ("Transfer-Encoding", "chunked"), ("Content-Length", "1")],
    ]
    for fields in bad {
      var head = HTTPHead("POST", "/")
      head.headers = fields.map { HTTPHead.Field($0.0, $0.1) }
      let fault = try #require(head.fault(version: "HTTP/1.1"))
      guard case .bytes(let bytes) = fault.answer.body else { continue }
      #expect(try JSONReader.value(of: bytes)["detail"]?.text == fault.detail)
    }
  }
}
