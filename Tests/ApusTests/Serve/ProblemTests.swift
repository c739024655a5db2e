// SPDX-License-Identifier: MIT

import ApusJSON
import Testing

@testable import ApusCommand
@testable import ApusHTTP

/// Problems in the form of RFC 9457.
@Suite struct ProblemTests {
  /// Returns the members of the answer, and its fields.
  static func answer(
    _ answer: HTTPAnswer
  ) throws -> (problem: JSONValue, fields: [String: String]) {
    guard case .bytes(let bytes) = answer.body else { throw Unavailable("a body in memory") }
    let fields = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.name, $0.value) })
    return (try JSONReader.value(of: bytes), fields)
  }

  /// The kinds of failures in reports, and what they are in HTTP: RFC 9110, 15.5 and 15.6.
  @Test(arguments: [
    ("misuse", 400), ("limit", 413), ("unsupported", 415), ("memory", 503), ("io", 500),
    ("missing", 500), ("crash", 500), ("corrupt", 422), ("invalid", 422), ("truncated", 422),
    ("nothing", 422), ("something new", 422),
  ])
  func `it has the status that fits the kind of a failure`(_ kind: String, _ status: Int) throws {
    let error = JSONValue.object([
      .init("kind", .text(kind)), .init("message", .text("a \"reason\"\n")),
      .init("path", .text("meta/iprp")), .init("offset", .number("1312")),
    ])
    let problem = Problem(error)
    #expect(problem.status == status)
    let (json, fields) = try Self.answer(problem.answer)
    #expect(problem.answer.status == status)
    #expect(fields["Content-Type"] == "application/problem+json")
    #expect(json["status"]?.integer == status)
    #expect(json["title"]?.text?.isEmpty == false)
    #expect(json["kind"]?.text == kind)
    #expect(json["path"]?.text == "meta/iprp")
    #expect(json["offset"]?.integer == 1312)
    // Clients of Imaginary look for the message.
    for name in ["detail", "message"] { #expect(json[name]?.text == "a \"reason\"\n") }
  }

  @Test(arguments: [JSONValue.object([]), .null, .text("x")])
  func `it takes a failure without a kind for one of the server`(_ error: JSONValue) throws {
    let problem = Problem(error)
    #expect(problem.status == 500)
    let json = try Self.answer(problem.answer).problem
    #expect(json["kind"]?.text == "io")
    #expect(json["path"] == nil)
    #expect(json["offset"] == nil)
  }

  /// Fields that RFC 9110 requires or recommends with a status.
  @Test func `it has the fields of its status`() throws {
    let rows: [(Problem, status: Int, field: (String, String)?)] = [
      (.busy, 503, ("Retry-After", "1")),
      (.abandoned, 499, nil),
      (Problem(401, "misuse", "x"), 401, ("WWW-Authenticate", "Bearer")),
      (Problem("/health", takes: "GET, HEAD", "GET"), 405, ("Allow", "GET, HEAD")),
      (Problem(400, "misuse", "x"), 400, nil),
      (Problem(507, "io", "x"), 507, nil),
    ]
    for (problem, status, field) in rows {
      let fields = try Self.answer(problem.answer).fields
      #expect(problem.answer.status == status)
      #expect(fields.count == (field == nil ? 1 : 2), "\(fields)")
      if let field { #expect(fields[field.0] == field.1) }
    }
    #expect(Problem("/health", takes: "GET, HEAD", "GET").detail == "/health takes GET")
  }

  @Test func `each status has its own title`() throws {
    let statuses = [400, 401, 404, 405, 413, 415, 422, 499, 500, 503, 504, 507]
    let titles = try statuses.map {
      try Self.answer(Problem($0, "x", "y").answer).problem["title"]?.text
    }
    #expect(Set(titles).count == statuses.count)
    #expect(!titles.contains(nil))
  }
}
