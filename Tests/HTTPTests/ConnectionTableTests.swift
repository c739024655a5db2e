// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import ApusHTTP

@Suite struct ConnectionTableTests {
  private static func pairs(_ count: Int) throws -> [SocketPair] {
    try (0..<count).map { _ in try SocketPair() }
  }

  @Test func `it closes the one that has waited longest for each beyond the limit`() throws {
    let table = ConnectionTable(most: 2)
    let pairs = try Self.pairs(4)
    for pair in pairs { table.add(pair.own) }
    #expect(pairs.map(\.isShut) == [true, true, false, false])
    #expect(!table.isCrowded)
  }

  @Test func `it counts from the end of the previous request`() throws {
    let table = ConnectionTable(most: 2)
    let pairs = try Self.pairs(3)
    for pair in pairs[..<2] { table.add(pair.own) }
    table.move(pairs[0].own, to: .body)
    table.move(pairs[0].own, to: .head)
    table.add(pairs[2].own)
    #expect(pairs.map(\.isShut) == [false, true, false])
  }

  /// The stages of two connections, and the order in which they are closed for a third and a fourth one.
  static let stages: [([ConnectionTable.Stage], [Int])] = [
    ([.head, .head], [0, 1]), ([.body, .head], [1, 0]), ([.head, .body], [0, 1]),
    ([.body, .body], [0, 1]), ([.answer, .head], [1]), ([.answer, .body], [1]),
    ([.answer, .answer], []),
  ]

  @Test(arguments: stages)
  func `it closes those first that have sent the least`(
    _ stages: [ConnectionTable.Stage], _ order: [Int]
  ) throws {
    let table = ConnectionTable(most: 2)
    let pairs = try Self.pairs(4)
    for (pair, stage) in zip(pairs, stages) {
      table.add(pair.own)
      table.move(pair.own, to: stage)
    }
    for count in 1...2 {
      table.add(pairs[1 + count].own)
      table.move(pairs[1 + count].own, to: .answer)
      let closed = order.prefix(count)
      #expect(pairs.indices.filter { pairs[$0].isShut } == closed.sorted())
      // As many as there may be stay open, unless none can be closed.
      #expect(table.isCrowded == (closed.count < count))
    }
  }

  @Test func `it closes one of the address that has the most`() throws {
    let table = ConnectionTable(most: 3)
    let listener = try LoopbackListener()
    defer { close(listener.descriptor) }
    var held: [(client: Client, own: Int32)] = []
    for source in ["127.0.0.3", "127.0.0.2", "127.0.0.2", "127.0.0.4"] {
      let client = try Client(listener.port, from: source)
      let own = accept(listener.descriptor, nil, nil)
      #expect(HTTPPeer.address(of: own) == source)
      held.append((client, own))
      table.add(own)
    }
    defer { for one in held { close(one.own) } }
    #expect(try held[1].client.isClosed())
    for index in [0, 2, 3] { #expect(!held[index].client.hasInput, "connection \(index)") }
  }

  @Test func `it counts neither a connection that is gone nor one that it closed`() throws {
    let table = ConnectionTable(most: 2)
    let pairs = try Self.pairs(5)
    table.add(pairs[0].own)
    table.add(pairs[1].own)
    table.remove(pairs[0].own)
    table.add(pairs[2].own)
    #expect(pairs[..<3].allSatisfy { !$0.isShut })
    for pair in pairs[1...2] { table.move(pair.own, to: .answer) }
    table.add(pairs[3].own)
    #expect(table.isCrowded)
    // There is no more for one that is closed already.
    table.add(pairs[4].own)
    #expect(pairs.map(\.isShut) == [false, false, false, true, false])
    table.move(pairs[3].own, to: .answer)
    #expect(table.isCrowded)
    table.remove(pairs[1].own)
    #expect(!table.isCrowded)
  }

  @Test(arguments: [
    (-1, ConnectionTable.Stage.head, true), (3600, .head, false), (-1, .body, false),
    (-1, .answer, false),
  ])
  func `it closes one whose head takes too long`(
    _ seconds: Int, _ stage: ConnectionTable.Stage, _ isLate: Bool
  ) throws {
    let table = ConnectionTable(most: 2)
    let pair = try SocketPair()
    table.add(pair.own)
    table.move(pair.own, to: stage)
    var options = HTTPServer.Options()
    options.headSeconds = seconds
    #expect(table.closeLate(options))
    #expect(pair.isShut == isLate)
    table.end()
    #expect(!table.closeLate(options))
  }

  @Test func `it hands over a target once`() throws {
    let table = ConnectionTable(most: 2)
    let target = unsafe "/a b".withCString { unsafe HTTPTarget($0) }
    table.begin(target, at: 7)
    #expect(table.takeTarget(of: 8) == nil)
    #expect(table.takeTarget(of: 7)?.isFaulty == true)
    #expect(table.takeTarget(of: 7) == nil)
    table.begin(target, at: 7)
    table.remove(7)
    #expect(table.takeTarget(of: 7) == nil)
  }

  @Test func `it knows no address of a socket of the file system`() throws {
    #expect(try HTTPPeer.address(of: SocketPair().own) == "")
    #expect(HTTPPeer.address(of: -1) == "")
  }
}

/// Two ends of a connection within this process.
private final class SocketPair {
  let own: Int32
  private let other: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (own, other) = (ends[0], ends[1])
  }

  deinit {
    close(own)
    close(other)
  }

  /// Whether the own end was shut down.
  var isShut: Bool {
    var byte: UInt8 = 0
    return unsafe recv(other, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }
}
