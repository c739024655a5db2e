// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import Glibc
import TestSupport
import Testing

@testable import ApusHTTP

/// Answers of a server to requests that are as they should be.
@Suite struct HTTPServerTests {
  @Test func `it passes a request on as it was sent, and answers it`() throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.get(
        "/a%20b/%C3%A9?size=1&size=2&flag&none=&x=%26+%3d", "X-Own: 1\r\nx-own:  2\r\n")
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer.text == "/a b/é")
      #expect(answer.headers["content-type"] == "text/plain")
      let head = try #require(service.heads.first)
      #expect(head.method == "GET")
      #expect(head.path == "/a b/é")
      let query: [(String, String?)] = [
        ("size", "1"), ("size", "2"), ("flag", nil), ("none", ""), ("x", "& ="),
      ]
      #expect(head.query == query.map { HTTPHead.Field($0.0, $0.1) })
      #expect(head.headers.filter { $0.name.lowercased() == "x-own" }.map(\.value) == ["1", "2"])
      #expect(answer.headers["x-request-id"] == head.id)
    }
  }

  @Test func `it names a request as its client does`() throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.get("/", "X-Request-ID: a-name\r\n")
      #expect(try client.answer().headers["x-request-id"] == "a-name")
    }
  }

  @Test(arguments: [1, 70_000, 3 << 20], [false, true])
  func `it keeps the body of a request`(_ count: Int, isChunked: Bool) throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try Service.run { service, server in
      let client = try Client(service.port)
      if isChunked {
        try client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in [body.prefix(count / 2), body.dropFirst(count / 2)] where !piece.isEmpty {
          try client.send("\(String(piece.count, radix: 16))\r\n")
          try client.send(Array(piece) + Array("\r\n".utf8))
        }
        try client.send("0\r\n\r\n")
      } else {
        try client.post("/", body)
      }
      let isSame = try client.answer().body == body
      #expect(isSame)
      let end = Service.End(path: "/", status: 200, received: count, isWhole: true)
      #expect(try service.ends(1) == [end])
      #expect(server.requests == 0)
    }
  }

  @Test func `it answers a head without its body`() throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.send("HEAD /twelve-bytes HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try client.answer(hasBody: false)
      #expect(answer.status == 200)
      #expect(answer.headers["content-length"] == "13")
      // Nothing comes before the next answer.
      try client.get("/second")
      #expect(try client.answer().text == "/second")
    }
  }

  /// RFC 9112, 9.3: a version, the field `Connection`, and whether the connection stays open.
  @Test(arguments: [
    ("1.1", "", true), ("1.1", "Connection: keep-alive\r\n", true),
    ("1.1", "Connection: close\r\n", false), ("1.1", "connection: Close\r\n", false),
    ("1.0", "", false), ("1.0", "Connection: keep-alive\r\n", true),
  ])
  func `it keeps a connection that its client keeps`(
    _ version: String, _ field: String, _ stays: Bool
  ) throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      try client.send("GET /one HTTP/\(version)\r\nHost: x\r\n\(field)\r\n")
      #expect(try client.answer().text == "/one")
      if stays {
        try client.get("/two")
        #expect(try client.answer().text == "/two")
      } else {
        #expect(try client.isClosed())
      }
    }
  }

  @Test func `it answers requests that come at once in their order`() throws {
    try Service.run { service, _ in
      let client = try Client(service.port)
      let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
      let get = "GET /two HTTP/1.1\r\nHost: x\r\n\r\n"
      try client.send(post + get + post)
      #expect(try client.answer().text == "hello")
      #expect(try client.answer().text == "/two")
      #expect(try client.answer().text == "hello")
      #expect(Set(service.heads.map(\.id)).count == 3)
    }
  }

  @Test(arguments: [
    (nil, 200, "0123456789"), ("bytes=0-0", 206, "0"), ("bytes=3-5", 206, "345"),
    ("bytes=-2", 206, "89"), ("bytes=7-", 206, "789"), ("bytes=10-", 416, ""),
  ])
  func `it sends a range of a file`(_ range: String?, _ status: Int, _ body: String) throws {
    let folder = try TestFolder()
    try folder.write("0123456789", to: "file")
    let file = try FileSource(folder.file("file"))
    let answers: @Sendable (HTTPHead) -> HTTPAdmission = { head in
      let stretch: (Int, Range<Int>)? =
        switch HTTPRange(head.header("Range"), of: file.count) {
        case .all: (200, 0..<file.count)
        case .stretch(let range): (206, range)
        case .unsatisfiable: nil
        }
      return .answer(
        stretch.map { HTTPAnswer($0.0, "text/plain", .stretch(FileStretch(file, $0.1))) }
          ?? HTTPAnswer(416))
    }
    try Service.run(admits: answers) { service, _ in
      let client = try Client(service.port)
      try client.get("/", range.map { "Range: \($0)\r\n" } ?? "")
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.text == body)
      #expect(try service.ends(1).map(\.status) == [status])
    }
  }

  @Test func `it answers another request while one waits`() throws {
    let waits: @Sendable (HTTPExchange) -> Void = { exchange in
      if exchange.head.path != "/slow" { Service.echo(exchange) }
    }
    try Service.run(serves: waits) { service, server in
      let (first, second) = (try Client(service.port), try Client(service.port))
      try first.get("/slow")
      let slow = try service.exchanges(1)[0]
      #expect(slow.socket >= 0)
      #expect(server.requests == 1)
      try second.get("/quick")
      #expect(try second.answer().text == "/quick")
      #expect(!first.hasInput)
      #expect(!slow.isOver)
      Service.echo(slow)
      #expect(try first.answer().text == "/slow")
      #expect(try service.ends(2).map(\.path) == ["/quick", "/slow"])
      #expect(slow.isOver)
      #expect(server.requests == 0)
    }
  }

  @Test func `it finishes what is under way, and accepts nothing more`() throws {
    try Service.run(serves: Service.silence) { service, server in
      let (client, idle) = (try Client(service.port), try Client(service.port))
      try client.get("/one")
      let exchange = try service.exchanges(1)[0]
      server.quiesce()
      // A process that another test starts has the socket for a moment.
      #expect((0..<1000).contains { _ in (try? Client(service.port)) == nil })
      // Connections that are open may ask more.
      try idle.get("/two")
      Service.echo(try service.exchanges(2)[1])
      #expect(try idle.answer().text == "/two")
      Service.echo(exchange)
      #expect(try client.answer().text == "/one")
      #expect(try service.ends(2).allSatisfy { $0.status == 200 && $0.isWhole })
      server.stop()
      #expect(try client.isClosed())
      #expect(try idle.isClosed())
    }
  }

  @Test func `it does not start without a listening socket`() throws {
    let folder = try TestFolder()
    try folder.write("", to: "file")
    let descriptor = unsafe open(folder.file("file"), O_RDONLY)
    defer { close(descriptor) }
    let error = #expect(throws: MediaError.self) {
      _ = try HTTPServer(descriptor, handler: Silent())
    }
    #expect(error?.kind == .io)
  }
}

/// A handler that is never called.
private final class Silent: HTTPHandler {
  func admit(_ head: HTTPHead) -> HTTPAdmission { .answer(HTTPAnswer(500)) }
  func serve(_ exchange: HTTPExchange) {}
  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer { HTTPAnswer(500) }
  func ended(_ exchange: HTTPExchange) {}
}
