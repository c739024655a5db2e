// SPDX-License-Identifier: MIT

import ApusFiles
import ApusJSON
import TestSupport
import Testing

@testable import ApusCommand
@testable import ApusHTTP

/// The answers of a server whose workers were not started.
@Suite struct RequestHandlerTests {
  private static func handler(
    _ keys: String? = nil, queue: Int = 64, mostBytes: Int = 1000
  ) throws -> RequestHandler {
    var options = RequestHandler.Options()
    options.queue = queue
    options.mostBytes = mostBytes
    guard let keys else { return RequestHandler(options, try ClientKeys(nil), RequestLog(.none)) }
    let folder = try TestFolder()
    try folder.write(keys, to: "keys")
    return RequestHandler(options, try ClientKeys(folder.file("keys")), RequestLog(.none))
  }

  /// Returns the answer to a head; `nil` if the body is read.
  private static func answer(
    _ handler: RequestHandler, _ method: String, _ target: String, _ fields: [(String, String)] = []
  ) -> HTTPAnswer? {
    guard case .answer(let answer) = handler.admit(HTTPHead(method, target: target, fields)) else {
      return nil
    }
    return answer
  }

  private static func text(_ answer: HTTPAnswer?) throws -> String {
    guard case .bytes(let bytes)? = answer?.body else { throw Unavailable("a body in memory") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func exchange(
    _ target: String, _ body: [UInt8], mostBytes: Int = 1000, _ fields: [(String, String)] = []
  ) -> HTTPExchange {
    let exchange = HTTPExchange(HTTPHead(target: target, fields), mostBytes: mostBytes)
    _ = body.isEmpty || exchange.add(body.span)
    return exchange
  }

  // MARK: - Pages

  @Test(arguments: [
    ("/", "application/json"), ("/health", "application/json"), ("/ready", "text/plain"),
    ("/metrics", "text/plain; version=0.0.4"), ("/v1/openapi.json", "application/json"),
  ])
  func `it has pages that are read and not written`(_ path: String, _ type: String) throws {
    let handler = try Self.handler()
    for method in ["GET", "HEAD"] {
      let answer = Self.answer(handler, method, path)
      #expect(answer?.status == 200)
      #expect(answer?.headers.first { $0.name == "Content-Type" }?.value == type)
      #expect(answer?.count ?? 0 > 0)
    }
    for method in ["POST", "PUT", "DELETE", "get"] {
      let answer = try #require(Self.answer(handler, method, path))
      #expect(answer.status == 405)
      #expect(try ProblemTests.answer(answer).fields["Allow"] == "GET, HEAD")
    }
  }

  @Test func `it shows a page to browsers only`() throws {
    let handler = try Self.handler()
    let accepts = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]
    let page = Self.answer(handler, "GET", "/", accepts)
    #expect(page?.headers.first?.value == "text/html; charset=utf-8")
    #expect(try Self.text(page).hasPrefix("<!doctype html>"))
    for accepted in ["*/*", "application/json"] {
      let text = try Self.text(Self.answer(handler, "GET", "/", [("Accept", accepted)]))
      #expect(text == "{\"apus\":\"\(About.version)\"}\n")
    }
  }

  @Test func `it tells its health`() throws {
    let handler = try Self.handler()
    handler.serve(Self.exchange("/v1/convert", [1]))
    let text = try Self.text(Self.answer(handler, "GET", "/health"))
    let json = try JSONReader.value(of: Array(text.utf8))
    #expect(json["status"]?.text == "ok")
    #expect(json["cpus"]?.integer == 1)
    #expect(json["running"]?.integer == 0)
    #expect(json["waiting"]?.integer == 1)
    #expect(json["uptime"]?.double ?? -1 >= 0)
    #expect(json["confinement"]?.text?.isEmpty == false)
  }

  // MARK: - Admission

  /// The method, the target and its fields, the status, and part of the reason.
  static let refused: [(String, String, [(String, String)], Int, String)] = [
    ("GET", "/v1/convert", [], 405, "/v1/convert takes POST"),
    ("HEAD", "/fit?width=1&height=1", [], 405, "/fit takes POST"),
    ("PUT", "/v1/info", [], 405, "takes POST"),
    ("GET", "/etc/passwd", [], 404, "there is nothing at /etc/passwd"),
    ("POST", "/v1/convert/", [], 404, "there is nothing at /v1/convert/"),
    ("POST", "/v1", [], 404, "there is nothing at /v1"),
    ("POST", "/V1/convert", [], 404, "there is nothing at /V1/convert"),
    ("POST", "/blur", [], 404, "there is nothing at /blur"),
    ("POST", "/v1/serve-worker", [], 404, "there is nothing"),
    ("POST", "/v1/convert", [("Content-Length", "1001")], 413, "1001 bytes"),
    (
      "POST", "/v1/convert", [("content-length", "9223372036854775807")], 413,
      "--max-body allows 0 MiB"
    ),
    ("POST", "/v1/convert?quality=0", [], 400, "--quality is"),
    ("POST", "/convert", [], 400, "convert needs a type"),
    ("POST", "/v1/convert?key=a&key=b", [], 400, "the parameter key is given twice"),
  ]

  @Test(arguments: refused)
  func `it refuses a request by its head`(
    _ method: String, _ target: String, _ fields: [(String, String)], _ status: Int, _ part: String
  ) throws {
    let answer = try #require(Self.answer(Self.handler(), method, target, fields))
    #expect(answer.status == status)
    let (problem, own) = try ProblemTests.answer(answer)
    #expect(problem["status"]?.integer == status)
    #expect(problem["detail"]?.text?.contains(part) == true, "\(problem)")
    #expect(own["Allow"] == (status == 405 ? "POST" : nil))
  }

  @Test(
    arguments: [
      ("/v1/convert", []), ("/v1/convert?quality=80&key=a", []), ("/info", []),
      ("/v1/info", [("Content-Length", "1000")]), ("/v1/info", [("Transfer-Encoding", "chunked")]),
    ] as [(String, [(String, String)])])
  func `it reads the body of a request, up to its limit`(
    _ target: String, _ fields: [(String, String)]
  ) throws {
    let admission = try Self.handler().admit(HTTPHead(target: target, fields))
    guard case .body(atMost: 1000) = admission else {
      Issue.record("it is \(admission)")
      return
    }
  }

  @Test func `it asks for a key, except for its health`() throws {
    let handler = try Self.handler("secret\n")
    for path in ["/health", "/ready"] {
      #expect(Self.answer(handler, "GET", path)?.status == 200, "\(path)")
    }
    for path in ["/", "/metrics", "/v1/openapi.json", "/nowhere"] {
      let answer = try #require(Self.answer(handler, "GET", path))
      #expect(answer.status == 401, "\(path)")
      #expect(try ProblemTests.answer(answer).fields["WWW-Authenticate"] == "Bearer")
      let expected = path == "/nowhere" ? 404 : 200
      #expect(Self.answer(handler, "GET", path + "?key=secret")?.status == expected)
    }
    #expect(Self.answer(handler, "POST", "/v1/convert?key=wrong")?.status == 401)
    #expect(Self.answer(handler, "POST", "/v1/convert?key=secret") == nil)
  }

  @Test func `it takes no more requests than may wait`() throws {
    let handler = try Self.handler(queue: 1)
    let exchanges = (0..<3).map { _ in Self.exchange("/v1/convert", [1]) }
    #expect(Self.answer(handler, "POST", "/v1/convert") == nil)
    for exchange in exchanges { handler.serve(exchange) }
    // One for the worker and one that waits.
    #expect(exchanges.map { $0.answered?.status } == [nil, nil, 503])
    for (method, target) in [("POST", "/v1/convert"), ("GET", "/ready")] {
      let answer = try #require(Self.answer(handler, method, target))
      #expect(answer.status == 503)
      #expect(try ProblemTests.answer(answer).fields["Retry-After"] == "1")
    }
    #expect(Self.answer(handler, "GET", "/health")?.status == 200)
  }

  @Test func `it takes no more requests once it is ending`() throws {
    let handler = try Self.handler()
    handler.drain()
    #expect(Self.answer(handler, "POST", "/v1/convert")?.status == 503)
    #expect(Self.answer(handler, "GET", "/ready")?.status == 503)
    #expect(Self.answer(handler, "GET", "/health")?.status == 200)
    let exchange = Self.exchange("/v1/convert", [1])
    handler.serve(exchange)
    #expect(exchange.answered?.status == 503)
  }

  // MARK: - Bodies and ends

  @Test func `it refuses a request without a body`() throws {
    let exchange = Self.exchange("/v1/convert", [])
    try Self.handler().serve(exchange)
    let answer = try #require(exchange.answered)
    #expect(answer.status == 400)
    #expect(try ProblemTests.answer(answer).problem["detail"]?.text?.contains("no body") == true)
  }

  @Test(arguments: [(HTTPBodyFailure.tooLarge, 413, "limit"), (.noRoom, 507, "io")])
  func `it answers a request whose body was not kept`(
    _ failure: HTTPBodyFailure, _ status: Int, _ kind: String
  ) throws {
    let answer = try Self.handler(mostBytes: 3 << 20).answer(to: failure)
    #expect(answer.status == status)
    let problem = try ProblemTests.answer(answer).problem
    #expect(problem["kind"]?.text == kind)
    #expect(problem["detail"]?.text?.contains("3 MiB") == (failure == .tooLarge))
  }

  @Test func `it counts requests by routes that exist, and the bytes that came`() throws {
    let handler = try Self.handler()
    /// Ends a request with an answer, if one was sent.
    func end(_ target: String, _ status: Int?, body: [UInt8] = [], declares size: String? = nil) {
      let fields = size.map { [("Content-Length", $0)] } ?? []
      let exchange = Self.exchange(target, body, fields)
      exchange.isWhole = !body.isEmpty
      if let status { exchange.sent(HTTPAnswer(status, "text/plain", .bytes([1, 2]))) }
      exchange.end()
      handler.ended(exchange)
    }
    end("/v1/convert", 200, body: [1, 2, 3])
    end("/health", 200)
    end("/etc/passwd", 404)
    end("/v1/convert", nil, body: [1])
    end("/v1/convert", 499, body: [1])
    end("/v1/convert", nil)
    // What a head declares may be anything.
    for _ in 0..<3 { end("/v1/convert", 413, declares: "9223372036854775807") }
    let found = try RequestMetricsTests.Exposition(
      Self.text(Self.answer(handler, "GET", "/metrics")))
    let requests = [
      #"{route="/v1/convert",status="200"}"#: 1, #"{route="/v1/convert",status="413"}"#: 3,
      #"{route="/v1/convert",status="499"}"#: 2, #"{route="/v1/convert",status="0"}"#: 1,
      #"{route="/health",status="200"}"#: 1, #"{route="other",status="404"}"#: 1,
    ]
    for (labels, count) in requests {
      #expect(found["apus_requests_total\(labels)"] == Double(count), "\(labels)")
    }
    #expect(found.samples.count { $0.name.hasPrefix("apus_requests_total") } == requests.count)
    #expect(found["apus_body_bytes_total"] == 5)
    #expect(found["apus_answer_bytes_total"] == 14)
    #expect(found["apus_abandoned_total"] == 2)
  }
}
