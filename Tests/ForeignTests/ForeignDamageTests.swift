// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusLive
import ApusMedia
import ApusSamples
import SampleSupport
import Synchronization
import TestSupport
import Testing

/// Damage that libavformat passes over without an error.
@Suite struct ForeignDamageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What is among the words about it.
    var words: String
    var change: @Sendable (inout [UInt8]) -> Void

    init(_ name: String, _ words: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
      (testDescription, self.words, self.change) = (name, words, change)
    }
  }

  private static func words(_ bytes: [UInt8]) throws -> [String] {
    var source = try ForeignSource(MemorySource(bytes))
    _ = try source.rest()
    return source.warnings + source.repairs
  }

  /// `hevc.mkv` has 4318 bytes, its Segment 4266 from byte 52 on, a Cluster from byte 667 on; in that are blocks at
  /// bytes 1457 and 2012 and a group of one at byte 1509.
  static let matroska = [
    Row("cut", "the file ends before its Segment, which announces 4266 bytes from byte 52 on") {
      $0.removeLast(2000)
    },
    Row("cut, too", "the file ends 1953 bytes before the end of an element that begins at byte 667")
    {
      $0.removeLast(2000)
    },
    Row(
      "one byte less",
      "the file ends before its Segment, which announces 4266 bytes from byte 52 on"
    ) {
      $0.removeLast()
    },
    Row("junk", "500 bytes from byte 4318 on belong to no element") {
      $0 += [UInt8](repeating: 0x55, count: 500)
    },
    Row("another kind", "1 element of an unknown kind is skipped, at byte 1457") {
      $0[1457] = 0xa9
    },
    Row("another kind in a group", "1 element of an unknown kind is skipped, at byte 1512") {
      $0[1512] = 0xa9
    },
    Row("size", "the element at byte 1457 is larger than the one that contains it") {
      $0[1458] = 0x5f
    },
    Row("zeros", "no element begins at byte 2012") { bytes in
      for place in 2012..<2100 { bytes[place] = 0 }
    },
    Row("zeros, by libavformat", "libavformat says: 0x00 at pos 2012") { bytes in
      for place in 2012..<2100 { bytes[place] = 0 }
    },
  ]

  @Test(arguments: matroska)
  func `damage of Matroska is reported`(row: Row) throws {
    var bytes = try Fixture.bytes("hevc.mkv")
    row.change(&bytes)
    let words = try Self.words(bytes)
    #expect(words.contains { $0.hasPrefix(row.words) }, "\(words)")
  }

  @Test func `bytes that belong to no element of Matroska are located`() throws {
    func unread(_ bytes: [UInt8]) throws -> [Range<Int>] {
      var source = try ForeignSource(MemorySource(bytes))
      _ = try source.rest()
      return source.unread
    }
    let whole = try Fixture.bytes("hevc.mkv")
    #expect(try unread(whole).isEmpty)
    #expect(try unread(whole + [UInt8](repeating: 0x55, count: 500)) == [4318..<4818])
    #expect(try unread(Array(whole.dropLast(2000))) == [2096..<2318])
    // Another Cluster after bytes that look like nothing.
    let junk = [UInt8](repeating: 0x55, count: 500)
    let twice = Array(whole[..<1457]) + junk + Array(whole[667...])
    #expect(try unread(twice) == [1457..<1957])
  }

  @Test func `a source that was repaired says so once, at its end`() throws {
    let bytes = try Fixture.bytes("hevc.mkv").dropLast(2000)
    let said = Mutex<[[String]]>([])
    var source = try RepairedSource(ForeignSource(MemorySource(Array(bytes)))) { words in
      said.withLock { $0.append(words) }
    }
    _ = try source.next()
    let early = said.withLock { $0 }
    #expect(early.isEmpty)
    _ = try source.rest()
    #expect(try source.rest().isEmpty)
    let words = said.withLock { $0 }
    #expect(words == [source.repairs])
    #expect(!source.repairs.isEmpty)
  }

  @Test func `a cut of Matroska is reported wherever it is`() throws {
    let bytes = try Fixture.bytes("hevc.mkv")
    for length in stride(from: 1500, to: bytes.count, by: 41) {
      let words = try Self.words(Array(bytes[..<length]))
      #expect(words.contains { $0.hasPrefix("the file ends before its Segment") }, "\(length)")
    }
  }

  private static func transportStream() throws -> [UInt8] {
    var options = RemuxJob.Options(.ts)
    options.muxers = ForeignMuxerMaker()
    var sink = ArraySink()
    _ = try RemuxJob(MediaInput.open(Fixture.source("hvc1.mp4")), options: options).writeAndWait(
      to: &sink)
    return sink.bytes
  }

  /// The place of a packet in the middle of a stream that is not the last of its PID: ISO/IEC 13818-1, 2.4.3.2.
  private static func packet(in bytes: [UInt8], starts: Bool) -> Int? {
    let places = stride(from: 188 * 8, to: bytes.count - 188 * 8, by: 188)
    // A PID above those of tables.
    return places.first {
      bytes[$0 + 2] != 0 && bytes[$0 + 1] & 0x1f != 0x10 && bytes[$0 + 3] & 0x10 != 0
        && (bytes[$0 + 1] & 0x40 != 0) == starts
    }
  }

  struct PacketRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var byte: Int
    var bits: UInt8
    var starts = false
  }

  static let packets = [
    PacketRow(testDescription: "place where no transport packet begins,", byte: 0, bits: 1),
    PacketRow(
      testDescription: "transport packet that was damaged on its way,", byte: 1, bits: 0x80),
    PacketRow(testDescription: "scrambled transport packet,", byte: 3, bits: 0x80),
    PacketRow(
      testDescription: "transport packet with a wrong mark of its start,", byte: 1, bits: 0x40,
      starts: true),
    PacketRow(
      testDescription: "transport packet with a wrong mark of its start,", byte: 1, bits: 0x40),
  ]

  @Test(arguments: packets)
  func `one bit in the header of a transport packet is reported`(row: PacketRow) throws {
    var bytes = try Self.transportStream()
    let whole = try Self.words(bytes)
    #expect(whole.isEmpty, "\(whole)")
    let place = try #require(Self.packet(in: bytes, starts: row.starts))
    bytes[place + row.byte] ^= row.bits
    let words = try Self.words(bytes)
    #expect(words.contains("1 \(row.testDescription) at byte \(place)"), "\(words)")
  }

  @Test func `a transport packet that is gone is reported`() throws {
    var bytes = try Self.transportStream()
    let place = try #require(Self.packet(in: bytes, starts: false))
    bytes.removeSubrange(place..<place + 188)
    #expect(
      try Self.words(bytes).contains {
        $0.hasPrefix("1 gap in the count of transport packets, at byte")
      })
  }

  @Test func `a transport stream that ends inside a packet is reported`() throws {
    let bytes = try Self.transportStream()
    let words = try Self.words(bytes.dropLast(100))
    #expect(words.contains("the file ends inside a packet, 88 bytes after its start"), "\(words)")
  }

  /// Half a second of silence, 8000 samples a second.
  private static let wave =
    Array("RIFF".utf8) + hex("641f0000") + Array("WAVEfmt ".utf8)
    + hex("10000000 01000100 401f0000 803e0000 02001000") + Array("data".utf8) + hex("401f0000")
    + [UInt8](repeating: 0, count: 8000)

  @Test func `a WAVE file that was cut is reported`() throws {
    #expect(try Self.words(Self.wave).isEmpty)
    let words = try Self.words(Self.wave.dropLast(100))
    #expect(words.contains("the file ends 100 bytes before the end of the chunk at byte 0"))
  }

  /// A page with one packet: RFC 3533, 6.
  private static func page(_ number: UInt8, _ flags: UInt8, _ packet: [UInt8]) -> [UInt8] {
    var page = Array("OggS".utf8) + [0, flags] + [0, number < 2 ? 0 : number, 0, 0, 0, 0, 0, 0]
    page += [7, 0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(packet.count)] + packet
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04c1_1db7 : sum << 1 }
    }
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
    return page
  }

  /// Opus (RFC 7845, 5), whose pages of sound have 38 bytes from byte 91 on.
  private static let opusPages =
    [
      page(0, 2, Array("OpusHead".utf8) + hex("01 01 0000 80bb0000 0000 00")),
      page(1, 0, Array("OpusTags".utf8) + hex("00000000 00000000")),
    ] + (2..<30).map { page($0, $0 == 29 ? 4 : 0, hex("f8 0102030405060708 0a0b")[0..<10] + []) }

  @Test func `damage of Ogg is reported`() throws {
    var pages = Self.opusPages
    #expect(try Self.words(Array(pages.joined())).isEmpty)
    #expect(
      try Self.words(Array(pages.joined().dropLast(5)))
        .contains("the file ends inside a page, at byte 1117"))
    #expect(
      try Self.words(pages.joined() + [1, 2, 3])
        .contains("no page begins at byte 1155, which 3 bytes follow"))
    pages.remove(at: 10)
    #expect(
      try Self.words(Array(pages.joined())).contains("1 gap in the count of pages, at byte 395"))
  }
}
