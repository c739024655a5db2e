// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import Synchronization
import Testing

@testable import ApusHTTP

@Suite struct HTTPExchangeTests {
  private static func exchange(_ mostBytes: Int, declares count: Int? = nil) -> HTTPExchange {
    var head = HTTPHead("POST", "/")
    if let count { head.headers = [HTTPHead.Field("Content-Length", "\(count)")] }
    return HTTPExchange(head, mostBytes: mostBytes)
  }

  private static func add(_ bytes: [UInt8], to exchange: HTTPExchange) -> Bool {
    exchange.add(bytes.span)
  }

  @Test func `it keeps a body that comes in pieces`() throws {
    let exchange = Self.exchange(6)
    #expect(exchange.body == nil)
    for piece in [[1, 2], [3], [4, 5, 6]] as [[UInt8]] { #expect(Self.add(piece, to: exchange)) }
    let body = try #require(exchange.body)
    #expect(try body.bytes(in: 0..<body.count) == [1, 2, 3, 4, 5, 6])
    #expect(exchange.received == 6)
    #expect(exchange.failure == nil)
  }

  /// The largest body, the declared size, and the sizes of pieces with whether more is read after each.
  static let bodies: [(most: Int, declared: Int?, pieces: [(Int, Bool)])] = [
    (4, 9, [(4, true), (5, true)]),
    (4, 100, [(5, true), (95, true)]),
    // A body without a declared size is read up to twice the limit.
    (4, nil, [(4, true), (4, true)]),
    (4, nil, [(5, true), (3, true), (1, false)]),
    (4, nil, [(9, false)]),
    (0, nil, [(1, false)]),
  ]

  @Test(arguments: bodies)
  func `it forgets a body that is too large, and reads on while its end can be foreseen`(
    _ row: (most: Int, declared: Int?, pieces: [(Int, Bool)])
  ) {
    let exchange = Self.exchange(row.most, declares: row.declared)
    for (count, goesOn) in row.pieces {
      #expect(Self.add([UInt8](repeating: 0, count: count), to: exchange) == goesOn)
    }
    #expect(exchange.failure == .tooLarge)
    #expect(exchange.body == nil)
    #expect(exchange.received == row.pieces.reduce(0) { $0 + $1.0 })
  }

  @Test func `it keeps nothing of a body after its answer`() {
    let exchange = Self.exchange(100, declares: 3)
    exchange.answer(HTTPAnswer(401))
    #expect(Self.add([1, 2, 3], to: exchange))
    #expect(exchange.body == nil)
    #expect(exchange.failure == nil)
  }

  @Test func `its first answer counts, and makes the connection continue once`() {
    let exchange = Self.exchange(0)
    let resumed = Atomic(0)
    exchange.wait(9) { resumed.add(1, ordering: .relaxed) }
    #expect(exchange.socket == 9)
    #expect(exchange.answered == nil)
    exchange.answer(HTTPAnswer(200))
    exchange.answer(HTTPAnswer(500))
    #expect(exchange.answered?.status == 200)
    #expect(exchange.socket == -1)
    #expect(resumed.load(ordering: .relaxed) == 1)
  }

  @Test func `it ignores an answer after its end`() {
    let exchange = Self.exchange(5)
    let resumed = Atomic(0)
    #expect(Self.add([1], to: exchange))
    exchange.wait(9) { resumed.add(1, ordering: .relaxed) }
    #expect(!exchange.isOver)
    exchange.end()
    exchange.answer(HTTPAnswer(200))
    #expect(exchange.isOver)
    #expect(exchange.answered == nil)
    #expect(exchange.body == nil)
    #expect(exchange.socket == -1)
    #expect(resumed.load(ordering: .relaxed) == 0)
    #expect(exchange.outcome == (0, 0))
  }

  @Test(arguments: [("GET", 3), ("POST", 3), ("HEAD", 0)])
  func `it counts what was sent`(_ method: String, _ bytes: Int) {
    let exchange = HTTPExchange(HTTPHead(method, "/"), mostBytes: 0)
    #expect(exchange.outcome == (0, 0))
    exchange.sent(HTTPAnswer(203, "text/plain", .bytes([1, 2, 3])))
    exchange.end()
    #expect(exchange.outcome == (203, bytes))
  }
}
