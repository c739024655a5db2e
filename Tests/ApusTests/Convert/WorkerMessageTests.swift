// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills
import Glibc
import TestSupport
import Testing

@testable import ApusCommand

struct WorkerMessageTests {
  /// Sends messages through a pipe. Returns what is received from it, whatever pieces it is read in.
  private static func received<Message: ProcessMessage>(_ messages: [Message]) throws -> [Message] {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for message in messages { try message.send(to: ends[1], name: "a pipe") }
    var received = WorkerMessages<Message>(ends[0])
    var found: [Message] = []
    while found.count < messages.count {
      guard received.receive() else { break }
      while let message = try received.next() { found.append(message) }
    }
    return found
  }

  /// A report in which nothing has its default, with a name that is not UTF-8.
  private static var report: PhotoReport {
    var report = PhotoReport(input: "a \"\\\n\u{1}\(FileName.text(of: [0xE9, 0x66])).heic")
    report.status = .salvaged
    var output = PhotoReport.Output(
      path: "é.jpg", role: .part("depth", extension: "png"), width: 3, height: 2, bytes: 1 << 40)
    output.gainMap = PhotoReport.GainMap(
      width: 1, height: 2, bytes: 3, headroom: 0.1 + 0.2, origin: .appleMakerNote)
    report.outputs = [
      output,
      PhotoReport.Output(path: "b", role: .primary, width: 0, height: 0, bytes: 0),
      PhotoReport.Output(path: "c", role: .other(2), width: 1, height: 1, bytes: 1),
      PhotoReport.Output(path: "d", role: .video(extension: "mov"), width: 1, height: 1, bytes: 1),
    ]
    (report.existing, report.warnings) = (["x"], ["", "y"])
    (report.bytesIn, report.seconds) = (7, 1.0 / 3)
    report.failure = MediaError(
      .limit, of: .part("ispe"), "is too large", at: .item("tile 5", bytes: 3..<9), remedy: .item)
    report.live = PhotoReport.Live(
      video: "v", bytes: 1, basis: .name, outcome: .appended, output: "w")
    report.losses = [SourceHolding(.boxes, count: 2, names: ["free", "skip"])]
    report.source = SourceRemoval(isRemoved: true, reasons: [.warned(2), .link("l"), .changed])
    (report.isCopied, report.isEmbedded) = (true, true)
    report.decoders = [CodecUse(name: "intra", pictures: 48)]
    report.encoders = [CodecUse(name: "own", reason: "libx265 is missing")]
    (report.decodeSeconds, report.convertSeconds, report.encodeSeconds) = (1, .infinity, 1e-9)
    return report
  }

  @Test func `a report comes out of a pipe as it went in`() throws {
    let file = try #require(FileIdentity(Fixture.folder + "grid.heic"))
    let events: [WorkerReply.Event] = [
      .report(Self.report), .claim("out/é.jpg"), .output(.begun("b")),
      .output(.finished("c", file)), .output(.made("d", as: "d-1")),
      .report(PhotoReport(input: "")),
    ]
    let replies = events.enumerated().map { WorkerReply(item: $0, event: $1) }
    // The time of the last access stays behind.
    let found = try Self.received(Self.received(replies))
    #expect(try found.map { "\($0)" } == Self.received(replies).map { "\($0)" })
    for (one, other) in zip(found, replies) where one.item != 3 { #expect("\(one)" == "\(other)") }
    guard case .output(.finished("c", let travelled)) = found[3].event else {
      return #expect(Bool(false))
    }
    #expect(travelled.isUnchanged(since: file))
  }

  @Test func `a photo comes out of a pipe as it went in`() throws {
    var fields = NameFields()
    (fields.number, fields.camera) = (9, "EOS\tR5")
    fields.date = CalendarTime([2024, 1, 31, 12, 0, 60])
    var item = BatchItem(InputName(path: "a.heic", folder: "photos"), number: 3, fields)
    (item.wasCutShort, item.made) = (true, ["out/é.jpg": "out/é-1.jpg", "": "x"])
    let requests: [WorkerRequest] = [
      .photo(WorkerItem(item)), .noMore, .stop, .answer(.taken), .answer(.similar),
    ]
    let found = try Self.received(requests)
    guard case .photo(let photo) = found.first else { return #expect(Bool(false)) }
    let received = photo.item(nil)
    #expect(received.name == item.name && received.number == 3 && received.fields == fields)
    #expect(received.wasCutShort && received.made == item.made)
    #expect(found.dropFirst().map { "\($0)" } == requests.dropFirst().map { "\($0)" })
  }

  static let rows: [(name: String, size: UInt8?, text: String)] = [
    ("a size beyond all that is sent", 0x7F, ""),
    ("an event that is not known", nil, #"{"item":1,"event":{"sing":{}}}"#),
    ("two events", nil, #"{"item":1,"event":{"claim":{"_0":"a"},"output":{}}}"#),
    ("an event without its data", nil, #"{"item":1,"event":{"claim":{}}}"#),
    ("a photo without a number", nil, #"{"event":{"claim":{"_0":"a"}}}"#),
    ("a number that is text", nil, #"{"item":"1","event":{"claim":{"_0":"a"}}}"#),
    ("a number beyond 64 bits", nil, #"{"item":9223372036854775808,"event":{"claim":{"_0":"a"}}}"#),
    ("a status that is not known", nil, #"{"item":1,"event":{"report":{"_0":{"status":"fine"}}}}"#),
    ("a list in place of an object", nil, "[]"),
    ("nothing", nil, ""),
    ("values within values", nil, String(repeating: "[", count: 1 << 12)),
  ]

  @Test(arguments: rows)
  func `it is refused where it makes no sense`(_ name: String, _ size: UInt8?, _ text: String)
    throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let count = text.utf8.count
    let bytes = [size ?? 0, 0, UInt8(count >> 8), UInt8(count & 255)] + text.utf8
    #expect(unsafe write(ends[1], bytes, bytes.count) == bytes.count)
    var messages = WorkerMessages<WorkerReply>(ends[0])
    let isReceived = messages.receive()
    #expect(isReceived)
    let received = messages
    #expect(throws: SyntaxError.self, "\(name)") {
      var messages = received
      _ = try messages.next()
    }
  }

  @Test
  func `it finds a file under the name that it was to have, or a numbered one next to it`() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.jpg"
    for name in ["a.jpg", "a-1.jpg"] {
      _ = try FileOutput("\(folder.path)/\(name)").map { try $0.commit() }
    }
    let second = try #require(FileIdentity(folder.path + "/a-1.jpg"))
    let reply = WorkerReply(item: 1, event: .output(.finished(path, second)))
    guard case .output(.finished(_, let travelled)) = try Self.received([reply])[0].event else {
      return #expect(Bool(false))
    }
    #expect(travelled.name(near: path) == folder.path + "/a-1.jpg")
    #expect(unsafe unlink(folder.path + "/a-1.jpg") == 0)
    #expect(travelled.name(near: path) == nil)
  }
}
