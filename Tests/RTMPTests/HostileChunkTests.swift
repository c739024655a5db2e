// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import RTMP

/// What a peer may do to make a reader spend memory or work.
@Suite struct HostileChunkTests {
  static func failure(_ bytes: [UInt8], limits: ChunkLimits = ChunkLimits()) -> SyntaxError? {
    #expect(throws: SyntaxError.self) { try ChunkTests.read(bytes, limits: limits) }
  }

  @Test func `it refuses a 65th chunk stream`() {
    var bytes: [UInt8] = []
    for stream in 0..<2000 {
      bytes += [1, UInt8(stream & 255), UInt8(stream >> 8)] + hex("000000 ffffff 09 01000000")
      bytes += [UInt8](repeating: 0x41, count: 128)
    }
    #expect(Self.failure(bytes)?.message == "cs_id is one of more than the limit of 64")
  }

  @Test func `it refuses too much that has begun and does not end`() throws {
    var bytes = hex("02 000000 000004 01 00000000 00100000")
    for stream: UInt8 in 4..<44 {
      bytes += [stream] + hex("000000 ffffff 09 01000000") + [UInt8](repeating: 0, count: 1 << 20)
    }
    let error = try #require(Self.failure(bytes))
    #expect(error.kind == .limit)
    #expect(error.field == "messages")
    #expect(try #require(error.offset) < 33 << 20)
  }

  @Test func `it refuses a message of one byte in each chunk`() throws {
    let length = 4_000_000
    var bytes = hex("02 000000 000004 01 00000000 00000001 04 000000 3d0900 09 01000000 41")
    for _ in 1..<length { bytes += [0xc4, 0x41] }
    let error = try #require(Self.failure(bytes))
    #expect(error.field == "chunk_size")
    #expect(try #require(error.offset) < 140_000)
  }

  @Test func `it takes many small messages, which need no chunk more than they are`() throws {
    var bytes = hex("04 000000 000001 08 01000000 41")
    for _ in 0..<100_000 { bytes += [0xc4, 0x41] }
    #expect(try ChunkTests.read(bytes).count == 100_001)
  }

  /// The chunk of the fault begins after one message of 4 bytes with a header of 12.
  @Test(
    arguments: [
      "02 000000 002000 04 00000000", "03 000000 200000 14 00000000", "c4",
    ], ChunkTests.cuts)
  func `it names the same chunk however the bytes were cut`(_ fault: String, _ cut: Cut) {
    let bytes = hex("06 000001 000004 09 01000000 a1a2a3a4") + hex(fault)
    let error = #expect(throws: SyntaxError.self) { try ChunkTests.read(bytes, cut) }
    #expect(error?.offset == 16)
  }

  @Test(arguments: [
    ("a chunk size of 0", "02 000000 000004 01 00000000 00000000", "chunk_size"),
    ("a chunk size with the high bit", "02 000000 000004 01 00000000 80000000", "chunk_size"),
    ("a command of 2 MiB", "03 000000 200000 14 00000000", "message_length"),
    ("a control message of 8 KiB", "02 000000 002000 04 00000000", "message_length"),
    ("a stream that begins in the middle", "c4 00", "fmt"),
    ("a stream that begins with a difference", "84 000000", "fmt"),
    ("an empty chunk size", "02 000000 000000 01 00000000", "chunk_size"),
  ])
  func `it refuses what no peer means`(name: String, bytes: String, field: String) {
    #expect(Self.failure(hex(bytes))?.field == field, "\(name)")
  }

  @Test func `it believes no more of a chunk size than a message can hold`() throws {
    var reader = ChunkReader()
    let bytes = hex("02 000000 000004 01 00000000 7fffffff")
    var position = 0
    _ = try reader.next(bytes.span, from: &position)
    #expect(reader.chunkSize == 0xff_ffff)
  }
}
