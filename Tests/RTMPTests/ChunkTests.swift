// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import RTMP

/// Chunks and the messages that they hold, made by hand after RTMP 1.0, 5.3.
struct ChunkRow: Sendable, CustomTestStringConvertible {
  var source: String
  var bytes: [UInt8]
  var messages: [Message]

  init(_ source: String, _ bytes: String, _ messages: [Message]) {
    self.source = source
    self.bytes = hex(bytes)
    self.messages = messages
  }

  var testDescription: String { source }
}

private func message(
  _ type: UInt8, _ timestamp: UInt32, _ payload: String, stream: UInt32 = 1
) -> Message {
  Message(
    MessageType(rawValue: type), timestamp: timestamp, streamID: stream, payload: hex(payload))
}

@Suite struct ChunkTests {
  static let rows: [ChunkRow] = [
    ChunkRow(
      "all four forms on one stream",
      """
      04 000010 000002 08 01000000 aaaa   44 000005 000001 08 bb   84 000007 cc   c4 dd
      """,
      [
        message(8, 16, "aaaa"), message(8, 21, "bb"), message(8, 28, "cc"), message(8, 35, "dd"),
      ]),
    ChunkRow(
      "a new message in the fourth form after a full header",
      "04 000021 000001 08 01000000 aa c4 bb",
      [message(8, 33, "aa"), message(8, 66, "bb")]),
    ChunkRow(
      "streams 64, 319, 320 and 65599",
      """
      00 00 000001 000001 08 01000000 aa  00 ff 000002 000001 08 01000000 bb
      01 0001 000003 000001 08 01000000 cc  01 ffff 000004 000001 08 01000000 dd
      41 ffff 000004 000001 08 ee  40 ff 000002 000001 08 ff
      """,
      [
        message(8, 1, "aa"), message(8, 2, "bb"), message(8, 3, "cc"), message(8, 4, "dd"),
        message(8, 8, "ee"), message(8, 4, "ff"),
      ]),
    ChunkRow(
      "an extended time that is repeated",
      "02 000000 000004 01 00000000 00000004 06 ffffff 000006 09 01000000 01234567 aabbccdd c6 01234567 eeff",
      [message(1, 0, "00000004", stream: 0), message(9, 0x0123_4567, "aabbccddeeff")]),
    ChunkRow(
      "an extended time that is not repeated",
      "02 000000 000004 01 00000000 00000004 06 ffffff 000006 09 01000000 01234567 aabbccdd c6 eeff",
      [message(1, 0, "00000004", stream: 0), message(9, 0x0123_4567, "aabbccddeeff")]),
    ChunkRow(
      "payload that begins like the time that is not repeated, and the next chunk",
      """
      02 000000 000004 01 00000000 00000004 06 ffffff 000006 09 01000000 01234567 aabbccdd c6 0123
      04 000010 000001 08 01000000 aa
      """,
      [
        message(1, 0, "00000004", stream: 0), message(9, 0x0123_4567, "aabbccdd0123"),
        message(8, 16, "aa"),
      ]),
    ChunkRow(
      "an extended difference, the absolute time repeated",
      """
      02 000000 000004 01 00000000 00000004 06 000005 000001 09 01000000 aa
      46 ffffff 000006 09 01000000 aabbccdd c6 01000005 eeff
      """,
      [
        message(1, 0, "00000004", stream: 0), message(9, 5, "aa"),
        message(9, 0x0100_0005, "aabbccddeeff"),
      ]),
    ChunkRow(
      "the time 16777215 and the one before",
      "06 fffffe 000001 09 01000000 aa  06 ffffff 000001 09 01000000 00ffffff bb",
      [message(9, 0xff_fffe, "aa"), message(9, 0xff_ffff, "bb")]),
    ChunkRow(
      "times that wrap",
      "06 ffffff 000001 09 01000000 ffffffff aa  86 000022 bb",
      [message(9, .max, "aa"), message(9, 33, "bb")]),
    ChunkRow(
      "two messages in turns, and one given up",
      """
      02 000000 000004 01 00000000 00000002
      06 000001 000004 09 01000000 a1a2  04 000001 000003 08 01000000 b1b2
      c6 a3a4  c4 b3
      06 000002 000004 09 01000000 c1c2  02 000000 000004 02 00000000 0000 c2 0006
      06 000003 000002 09 01000000 d1d2
      """,
      [
        message(1, 0, "00000002", stream: 0), message(9, 1, "a1a2a3a4"), message(8, 1, "b1b2b3"),
        message(2, 0, "00000006", stream: 0), message(9, 3, "d1d2"),
      ]),
    ChunkRow(
      "a message that begins before the last one ended",
      """
      02 000000 000004 01 00000000 00000002
      06 000001 000004 09 01000000 a1a2  06 000002 000002 09 01000000 b1b2
      """,
      [message(1, 0, "00000002", stream: 0), message(9, 2, "b1b2")]),
    ChunkRow(
      "a difference of time in the middle of a message",
      """
      02 000000 000004 01 00000000 00000002  06 000001 000004 09 01000000 a1a2  86 000000 a3a4
      """,
      [message(1, 0, "00000002", stream: 0), message(9, 1, "a1a2a3a4")]),
    ChunkRow(
      "messages without payload", "04 000001 000000 08 01000000 84 000001 c4",
      [message(8, 1, ""), message(8, 2, ""), message(8, 3, "")]),
  ]

  static let cuts: [Cut] = [.whole, .every(1), .every(2), .every(3), .every(7), .random(9)]

  static func read(_ bytes: [UInt8], _ cut: Cut = .whole, limits: ChunkLimits = ChunkLimits())
    throws(SyntaxError) -> [Message]
  {
    var reader = ChunkReader(limits: limits)
    var messages: [Message] = []
    for piece in cut.pieces(of: bytes) {
      var position = 0
      while let message = try reader.next(piece.span, from: &position) { messages.append(message) }
      #expect(position == piece.count)
    }
    #expect(reader.count == bytes.count)
    return messages
  }

  @Test(arguments: rows, cuts)
  func `it makes messages of chunks`(row: ChunkRow, cut: Cut) throws {
    #expect(try Self.read(row.bytes, cut) == row.messages)
  }

  @Test(arguments: rows)
  func `it ends no message early`(row: ChunkRow) throws {
    for end in row.bytes.indices {
      let messages = try Self.read(Array(row.bytes[..<end]))
      #expect(Array(row.messages.prefix(messages.count)) == messages)
      #expect(messages.count < row.messages.count)
    }
  }

  @Test(arguments: rows)
  func `it reads headers as they are declared`(row: ChunkRow) throws {
    var reader = SyntaxReader(MemorySource(row.bytes))
    var header = ChunkHeader()
    try header.syntax(&reader)
    var written: [UInt8] = []
    header.append(to: &written)
    #expect(written == Array(row.bytes[..<reader.position]))
    var writer = SyntaxWriter(ArraySink())
    try header.syntax(&writer)
    #expect(writer.sink.bytes == written)
    let fast = try #require(try FastChunkHeader(row.bytes.span, at: 0, reader: ChunkReader()))
    #expect(fast.size == reader.position)
    #expect(fast.streamID == header.chunkStreamID)
    #expect(fast.field == header.timestamp)
    #expect(fast.messageStreamID == header.messageStreamID)
  }

  /// Time, stream, type and payload of messages, and the chunks that they become at a chunk size of 4.
  @Test(
    arguments: [
      (
        "a full header first, then what differs",
        [(0, 1, 9, "aabb"), (33, 1, 9, "ccddee"), (66, 1, 9, "ddeeff")],
        "06 000000 000002 09 01000000 aabb 46 000021 000003 09 ccddee 86 000021 ddeeff"
      ),
      (
        "a full header where the time falls", [(40, 1, 9, "aa"), (39, 1, 9, "bb")],
        "06 000028 000001 09 01000000 aa 06 000027 000001 09 01000000 bb"
      ),
      (
        "a full header for another message stream", [(40, 1, 9, "aa"), (41, 2, 9, "bb")],
        "06 000028 000001 09 01000000 aa 06 000029 000001 09 02000000 bb"
      ),
      (
        "an extended time in each chunk",
        [(0x0100_0000, 1, 9, "a1a2a3a4a5"), (0x0100_0021, 1, 9, "bb")],
        "06 ffffff 000005 09 01000000 01000000 a1a2a3a4 c6 01000000 a5 46 000021 000001 09 bb"
      ),
      (
        "an extended difference", [(0, 1, 9, "aa"), (0xff_ffff, 1, 9, "b1b2b3b4b5")],
        "06 000000 000001 09 01000000 aa 46 ffffff 000005 09 00ffffff b1b2b3b4 c6 00ffffff b5"
      ),
      (
        "a difference over the end of 32 bits", [(4_294_967_295, 1, 9, "aa"), (4, 1, 9, "bb")],
        "06 ffffff 000001 09 01000000 ffffffff aa 86 000005 bb"
      ),
      (
        "whole chunks and nothing", [(0, 1, 9, "a1a2a3a4a5a6a7a8"), (1, 1, 9, "")],
        "06 000000 000008 09 01000000 a1a2a3a4 c6 a5a6a7a8 46 000001 000000 09"
      ),
    ] as [(String, [(UInt32, UInt32, UInt8, String)], String)])
  func `it cuts messages into chunks`(
    name: String, messages: [(UInt32, UInt32, UInt8, String)], bytes: String
  ) throws {
    var writer = ChunkWriter()
    writer.chunkSize = 4
    var output: [UInt8] = []
    for (time, stream, type, payload) in messages {
      let payload = hex(payload)
      let middle = payload.count / 2
      try writer.append(
        MessageType(rawValue: type), on: 6, streamID: stream, timestamp: time,
        head: Array(payload[..<middle]), payload: Extent(Array(payload[middle...])), to: &output)
    }
    #expect(output == hex(bytes), "\(name)")
  }

  @Test func `it writes what it reads, at any chunk size and on any stream`() throws {
    var random = Seeded(7)
    for chunkSize in [1, 2, 128, 4096, 65536, 0xff_ffff] {
      var writer = ChunkWriter()
      var (output, messages): ([UInt8], [Message]) = ([], [])
      let announced = try ControlMessage.setChunkSize(UInt32(chunkSize)).bytes()
      try writer.append(
        .setChunkSize, on: 2, streamID: 0, timestamp: 0, head: announced, to: &output)
      messages.append(Message(.setChunkSize, payload: announced))
      writer.chunkSize = chunkSize
      for _ in 0..<60 {
        let payload = HandshakeBlock.noise(.random(in: 0...500, using: &random), using: &random)
        let message = Message(
          .video, timestamp: .random(in: 0 ... .max, using: &random),
          streamID: .random(in: 1...2, using: &random), payload: payload)
        try writer.append(
          message.type, on: [3, 63, 64, 319, 320, 65599].randomElement(using: &random) ?? 3,
          streamID: message.streamID, timestamp: message.timestamp, head: payload, to: &output)
        messages.append(message)
      }
      #expect(try Self.read(output, .random(UInt64(chunkSize))) == messages)
    }
  }

  @Test func `it refuses to write what no message can hold`() {
    var writer = ChunkWriter()
    var output: [UInt8] = []
    let payload = [UInt8](repeating: 0, count: 1 << 24)
    let error = #expect(throws: SyntaxError.self) {
      try writer.append(
        .video, on: 6, streamID: 1, timestamp: 0, head: payload, to: &output)
    }
    #expect(error?.kind == .misuse)
    #expect(output.isEmpty)
  }
}
