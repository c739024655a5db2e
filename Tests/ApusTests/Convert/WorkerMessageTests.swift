// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import Glibc
import TestSupport
import Testing

@testable import ApusCommand

struct WorkerMessageTests {
  static let messages = [
    WorkerMessage(.photo, ["a.heic", "+photos", "out/é.jpg", "out/é-1.jpg"]),
    WorkerMessage(.noMore), WorkerMessage(.stop), WorkerMessage(answering: .taken),
    WorkerMessage(.finished, ["a.jpg", "a.heic"], numbers: [1, .max, 3, 4, 5]),
  ]

  @Test
  func `it comes out of a pipe as it went in, whatever pieces it is read in`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for message in Self.messages { try message.send(to: ends[1], name: "a pipe") }
    var received = WorkerMessages(ends[0])
    var found: [WorkerMessage] = []
    while found.count < Self.messages.count {
      guard received.receive() else { break }
      while let message = try received.next() { found.append(message) }
    }
    #expect(found.map(\.kind) == Self.messages.map(\.kind))
    #expect(found.map(\.words) == Self.messages.map(\.words))
    #expect(found.map(\.numbers) == Self.messages.map(\.numbers))
    #expect(found.map(\.claim) == Self.messages.map(\.claim))
  }

  /// A size, a kind, an answer, and three counts of which there is nothing.
  static let rows: [(name: String, bytes: [UInt8])] = [
    ("a size beyond all that is sent", [0x7F, 0, 0, 0]),
    ("a kind that is not known", [0, 0, 0, 14, 99, 0] + [UInt8](repeating: 0, count: 12)),
    ("an answer that is not known", [0, 0, 0, 14, 0, 9] + [UInt8](repeating: 0, count: 12)),
    ("more words than there are bytes", [0, 0, 0, 6, 0, 0, 255, 255, 255, 255]),
  ]

  @Test(arguments: rows)
  func `it is refused where it makes no sense`(_ name: String, _ bytes: [UInt8]) throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(unsafe write(ends[1], bytes, bytes.count) == bytes.count)
    var messages = WorkerMessages(ends[0])
    let isReceived = messages.receive()
    #expect(isReceived)
    let received = messages
    #expect(throws: SyntaxError.self, "\(name)") {
      var messages = received
      _ = try messages.next()
    }
  }

  @Test
  func `it finds a file under the name that it was to have, or a numbered one beside it`() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.jpg"
    for name in ["a.jpg", "a-1.jpg"] {
      _ = try FileOutput("\(folder.path)/\(name)").map { try $0.commit() }
    }
    let second = try #require(FileIdentity(folder.path + "/a-1.jpg"))
    let travelled = try #require(FileIdentity(numbers: second.numbers))
    #expect(travelled.name(near: path) == folder.path + "/a-1.jpg")
    #expect(unsafe unlink(folder.path + "/a-1.jpg") == 0)
    #expect(travelled.name(near: path) == nil)
  }
}
