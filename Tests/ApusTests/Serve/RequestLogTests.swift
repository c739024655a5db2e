// SPDX-License-Identifier: MIT

import ApusJSON
import Testing

@testable import ApusCommand
@testable import ApusHTTP

@Suite struct RequestLogTests {
  private static func line(
    _ form: RequestLog.Form, _ head: HTTPHead, _ status: Int = 200, bytesIn: Int = 3,
    bytesOut: Int = 45, _ time: Duration = .microseconds(1234)
  ) -> String? {
    RequestLog(form).line(for: head, status, bytesIn, bytesOut, time, at: "2026-01-02T03:04:05Z")
  }

  private static func head(_ method: String, _ target: String) -> HTTPHead {
    var head = HTTPHead(
      method, target: target, [("X-Request-Id", "a-name"), ("API-Key", "secret")])
    head.identify()
    return head
  }

  @Test(arguments: [
    (
      "POST", "/v1/convert?key=secret", 200, Duration.microseconds(1234),
      "POST /v1/convert 200 45 1.2 ms"
    ),
    ("GET", "/a b", 404, .seconds(61), "GET /a b 404 45 61000.0 ms"),
    ("GET", "/", 0, .microseconds(49), "GET / gone 45 0.0 ms"),
    // Nothing that a terminal would obey, and one line for each request.
    (
      "\u{1b}[31mGET", "/\u{1b}]0;x\u{7}\n2026", 405, .zero,
      "\\u{1B}[31mGET /\\u{1B}]0;x\\u{07}\\n2026 405 45 0.0 ms"
    ),
  ])
  func `it has a line for each request, without keys`(
    _ method: String, _ target: String, _ status: Int, _ time: Duration, _ expected: String
  ) {
    let line = Self.line(.text, Self.head(method, target), status, time)
    #expect(line == "2026-01-02T03:04:05Z \(expected) a-name\n")
  }

  @Test(arguments: ["POST", "\u{1b}\"GET"])
  func `it has an object for each request, without keys`(_ method: String) throws {
    let head = Self.head(method, "/v1/convert?key=secret")
    let line = try #require(Self.line(.json, head, 499, .microseconds(1_234_567)))
    #expect(line.hasSuffix("}\n"))
    #expect(line.count { $0 == "\n" } == 1)
    #expect(!line.contains("secret"))
    let json = try JSONReader.value(of: Array(line.utf8))
    #expect(json["time"]?.text == "2026-01-02T03:04:05Z")
    #expect(json["method"]?.text == method)
    #expect(json["path"]?.text == "/v1/convert")
    #expect(json["status"]?.integer == 499)
    #expect(json["bytes_in"]?.integer == 3)
    #expect(json["bytes_out"]?.integer == 45)
    #expect(json["seconds"]?.double == 1.2346)
    #expect(json["id"]?.text == "a-name")
  }

  @Test func `it has no line if none is wanted`() {
    #expect(Self.line(.none, Self.head("GET", "/")) == nil)
  }
}
