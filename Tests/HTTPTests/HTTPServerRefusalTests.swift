// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import ApusHTTP

/// Answers of a server to requests that are refused, and its behavior towards clients that are too slow or gone.
@Suite struct HTTPServerRefusalTests {
  private static let get = "GET /second HTTP/1.1\r\nHost: x\r\n\r\n"

  /// The line of a request, the fields, and the statuses, 0 for none. RFC 9112, 3.2, 6.1, 6.3 and 11.2: the connection
  /// ends, because what follows may be a part of the request. Where there are two, versions of libmicrohttpd differ.
  static let malformed: [(String, String, [Int])] = [
    ("POST / HTTP/1.1", "Host: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n", [400]),
    ("POST / HTTP/1.1", "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n", [400]),
    ("POST / HTTP/1.1", "Host: x\r\nTransfer-Encoding: xchunked\r\n", [400, 501]),
    ("POST / HTTP/1.1", "Host: x\r\nTransfer-Encoding: gzip, chunked\r\n", [400, 501]),
    ("GET / HTTP/1.1", "Host: x\r\nHost: y\r\n", [400]),
    ("GET / HTTP/1.1", "", [400]),
    ("GET /a b HTTP/1.1", "Host: x\r\n", [400]),
    ("GET /a%00b HTTP/1.1", "Host: x\r\n", [400]),
    ("GET /a\0b HTTP/1.1", "Host: x\r\n", [400, 0]),
    ("GET /a\0HTTP/1.1\0b HTTP/1.1", "Host: x\r\n", [400, 0]),
    ("GET / HTTP/1.1", "Host: x\r\nBad name: 1\r\n", [400]),
  ]

  @Test(arguments: malformed)
  func `it refuses a request whose end is doubtful, and reads no other after it`(
    _ line: String, _ fields: String, _ statuses: [Int]
  ) throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.send("\(line)\r\n\(fields)\r\n\(Self.get)")
      let answer = try client.rest()
      let isRefused = statuses.contains { status in
        status == 0 ? answer.isEmpty : answer.hasPrefix("HTTP/1.1 \(status) ")
      }
      #expect(isRefused && answer.ranges(of: "HTTP/1.1 ").count <= 1, "\(answer)")
      #expect(service.heads.isEmpty)
    }
  }

  /// Fields that libmicrohttpd refuses by itself.
  @Test(arguments: [
    "Content-Length: +3", "Content-Length: -3", "Content-Length: 3x", "No colon",
    "Content-Length: 99999999999999999999999", "Long: \(String(repeating: "x", count: 40_000))",
  ])
  func `it reads no request after a field that cannot be read`(_ field: String) throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.send("POST / HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n\(Self.get)")
      let answer = try client.rest()
      // The request is malformed, or too large in one way or the other.
      let statuses = [400, 413, 431].map { "HTTP/1.1 \($0) " }
      #expect(statuses.contains { answer.hasPrefix($0) }, "\(answer)")
      #expect(service.heads.isEmpty)
    }
  }

  /// The body, whether its size is declared, and the status; 0 if the connection ends without an answer.
  @Test(arguments: [
    (10, true, 200), (11, true, 413), (3 << 20, true, 413),
    (10, false, 200), (11, false, 413), (20, false, 413), (21, false, 0), (3 << 20, false, 0),
  ])
  func `it refuses a body that is too large`(_ count: Int, isDeclared: Bool, _ status: Int) throws {
    let admits: @Sendable (HTTPHead) -> HTTPAdmission = { _ in .body(atMost: 10) }
    try Service.run(admits: admits) { service, _ in
      let client = try Client(service.port)
      let body = [UInt8](repeating: 0, count: count)
      if isDeclared {
        try client.post("/", body)
      } else {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let size = "\(String(count, radix: 16))\r\n"
        // The server may be gone before all is sent.
        try? client.send(Array((head + size).utf8) + body + Array("\r\n0\r\n\r\n".utf8))
      }
      if status > 0 {
        #expect(try client.answer().status == status)
      } else {
        #expect(try client.rest() == "")
      }
      let end = try service.ends(1)[0]
      #expect((end.status, end.isWhole) == (status, status == 200))
      // What was read was told apart from what was declared, and does not grow with it.
      #expect(isDeclared ? end.received == count : end.received <= max(20, 1 << 16))
    }
  }

  private static let refuses: @Sendable (HTTPHead) -> HTTPAdmission = { head in
    head.path == "/second"
      ? .body(atMost: 0) : .answer(HTTPAnswer(401, "text/plain", .bytes(Array("no key".utf8))))
  }

  @Test(arguments: [0, 1, 1 << 20])
  func `it answers from the head, and discards a small body`(_ count: Int) throws {
    try Service.run(admits: Self.refuses) { service, _ in
      let client = try Client(service.port)
      try client.post("/", [UInt8](repeating: 0, count: count))
      let answer = try client.answer()
      #expect((answer.status, answer.text) == (401, "no key"))
      // The connection stays.
      try client.send(Self.get)
      #expect(try client.answer().text == "/second")
      let end = try service.ends(2)[0]
      #expect(end == Service.End(path: "/", status: 401, received: count, isWhole: false))
    }
  }

  @Test(arguments: [
    "Content-Length: 1048577", "Content-Length: 9223372036854775807", "Transfer-Encoding: chunked",
  ])
  func `it answers from the head without waiting for a large body`(_ field: String) throws {
    try Service.run(admits: Self.refuses) { service, _ in
      let client = try Client(service.port)
      try client.send("POST / HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n")
      #expect(try client.answer().status == 401)
      #expect(try client.isClosed())
      let end = Service.End(path: "/", status: 401, received: 0, isWhole: false)
      #expect(try service.ends(1) == [end])
    }
  }

  /// RFC 9110, 10.1.1.
  @Test func `it asks for the body of a request that it accepts`() throws {
    try Service.run(admits: Self.refuses) { service, _ in
      let client = try Client(service.port)
      try client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.answer().status == 401)
    }
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.answer().status == 100)
      try client.send("hello")
      #expect(try client.answer().text == "hello")
    }
  }

  @Test func `it tells the handler of a client that leaves before its body is complete`() throws {
    try Service.run { service, server in
      let client = try Client(service.port)
      try client.send(
        "POST /left HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.answer().status == 100)
      client.leave()
      let end = Service.End(path: "/left", status: 0, received: 0, isWhole: false)
      #expect(try service.ends(1) == [end])
      #expect(server.requests == 0)
    }
  }

  @Test func `it tells the handler of a client that leaves before its answer`() throws {
    try Service.run(serves: Service.silence) { service, server in
      let client = try Client(service.port)
      try client.post("/left", [1, 2, 3])
      let exchange = try service.exchanges(1)[0]
      client.leave()
      // The socket is for whoever works on the request.
      var place = pollfd(fd: exchange.socket, events: Int16(POLLIN), revents: 0)
      #expect(unsafe poll(&place, 1, 30_000) == 1)
      #expect(server.requests == 1)
      exchange.answer(HTTPAnswer(499))
      let end = try service.ends(1)[0]
      #expect(end.isWhole)
      #expect(exchange.isOver)
      #expect(exchange.body == nil)
      #expect(exchange.socket == -1)
      #expect(server.requests == 0)
    }
  }

  @Test func `it ends a connection whose body comes too slowly`() throws {
    var options = HTTPServer.Options()
    // Any time is too long.
    options.bodySeconds = -1
    try Service.run(options) { service, _ in
      let client = try Client(service.port)
      try client.post("/slow", [1, 2, 3])
      #expect(try client.rest() == "")
      #expect(try service.ends(1).map(\.status) == [0])
      try Client(service.port).get("/")
    }
  }

  @Test func `it makes room for a new connection`() throws {
    var options = HTTPServer.Options()
    options.connections = 2
    try Service.run(options) { service, _ in
      let clients = try (0..<2).map { _ in try Client(service.port) }
      // The order of connections is known once each was answered.
      for client in clients {
        try client.get("/")
        #expect(try client.answer().status == 200)
      }
      let third = try Client(service.port)
      #expect(try clients[0].isClosed())
      for client in [clients[1], third] {
        try client.get("/last")
        #expect(try client.answer().text == "/last")
      }
    }
  }

  @Test func `it is busy if all connections wait for answers`() throws {
    var options = HTTPServer.Options()
    options.connections = 1
    let admits: @Sendable (HTTPHead) -> HTTPAdmission = { head in
      head.path == "/health" ? .answer(HTTPAnswer(200)) : .body(atMost: 0)
    }
    try Service.run(options, admits: admits, serves: Service.silence) { service, _ in
      let client = try Client(service.port)
      try client.get("/one")
      let exchange = try service.exchanges(1)[0]
      let second = try Client(service.port)
      try second.get("/health")
      #expect(try second.answer().status == 200)
      try second.get("/two")
      let answer = try second.answer()
      #expect(answer.status == 503)
      #expect(answer.headers["retry-after"] == "1")
      #expect(try second.isClosed())
      Service.echo(exchange)
      #expect(try client.answer().text == "/one")
    }
  }
}
