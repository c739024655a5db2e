// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@Suite struct StreamFaultsTests {
  /// A tag, and what is wrong with it.
  struct Row: Sendable, CustomTestStringConvertible {
    var type: UInt8
    var data: String
    var fault: TagFault?
    var testDescription: String { "\(type) \(data)" }

    init(_ type: UInt8, _ data: String, _ fault: TagFault? = nil) {
      (self.type, self.data, self.fault) = (type, data, fault)
    }
  }

  /// Flash Video 10.1, E.4.1 to E.4.3; Enhanced RTMP v2.
  static let rows = [
    Row(8, ""), Row(9, ""), Row(18, "020003616263"), Row(15, "00"),
    Row(8, "af01 2100"), Row(8, "af02 2100", .unknownPacket),
    Row(9, "17 01 000000 00000002 0900"), Row(9, "17 03 000000 00", .unknownPacket),
    Row(9, "17 02 000000"), Row(9, "17 02 000000 00000005 4142434445", .unknownPacket),
    Row(9, "57 01"), Row(9, "57 01 000000 00000005 4142434445", .unknownPacket),
    Row(9, "17", .unreadable), Row(9, "91 68766331 00", .unreadable),
    Row(9, "9a 68766331 00", .unknownPacket), Row(9, "d1 00"),
    Row(1, "af01 2100", .unknownType), Row(24, "", .unknownType),
    Row(8 | 0x20, "af01 2100", .encrypted), Row(1 | 0x20, "af01 2100", .encrypted),
  ]

  @Test(arguments: rows)
  func `It says what is wrong with a tag by itself`(row: Row) throws {
    let file = fileStart + tagBytes(row.type, 0, hex(row.data))
    var reader = try TagReader(MemorySource(file))
    let tag = try #require(try reader.nextTag())
    #expect(try tag.header.fault(reader.packets(of: tag)) == row.fault)
  }

  @Test func `It counts, and says where the first was`() throws {
    var file = fileStart
    for type: UInt8 in [8, 3, 8, 3, 9] { file += tagBytes(type, 0, hex("af01 2100")) }
    var reader = try TagReader(MemorySource(file))
    var faults = StreamFaults()
    while let tag = try reader.nextTag() { try faults.look(at: tag, in: &reader, Limits()) }
    #expect(
      faults.words() == [
        "2 tags of unknown type are left out, the first at byte 32",
        "1 tag that cannot be read is left out, at byte 89",
      ])
    #expect(
      faults.words(copies: true).first
        == "2 tags of unknown type are not understood, the first at byte 32")
  }

  @Test func `Times that wrap do not leap`() throws {
    var file = fileStart
    for time: UInt32 in [0x7fff_ffc0, 0x7fff_ffe0, 0, 0x20] {
      file += tagBytes(8, time, hex("af01 2100"))
    }
    var reader = try TagReader(MemorySource(file))
    var faults = StreamFaults()
    while let tag = try reader.nextTag() { try faults.look(at: tag, in: &reader, Limits()) }
    #expect(faults.words().isEmpty)
  }

  /// A frame, by what comes after its five bytes of head, with lengths of so many bytes.
  static let frames: [(frame: String, lengthSize: UInt8, fits: Bool)] = [
    ("00000002 2601", 4, true), ("00000002 2601 00000001 02", 4, true), ("", 4, true),
    ("00000003 2601", 4, false), ("00000002 2601 00", 4, false),
    ("00000002 2601 00000001", 4, false),
    ("000000", 4, false), ("ffffffff 2601", 4, false), ("0002 2601 0001 02", 2, true),
    ("0003 2601", 2, false),
  ]

  @Test(arguments: frames, [1, 8])
  func `NAL units fill their frame`(
    row: (frame: String, lengthSize: UInt8, fits: Bool), count: Int
  ) throws {
    // ISO/IEC 14496-15, 5.3.3.1.2: the lower bits of the fifth byte are the size of lengths less 1.
    let configuration = hex("17 00 000000 01 640028") + [0xfc | (row.lengthSize - 1), 0xe0, 0]
    // A unit beyond what is looked at of each tag comes first.
    let far = row.lengthSize == 4 ? hex("00000200") : hex("0200")
    for first in [[], far + [UInt8](repeating: 6, count: 512)] {
      var file = fileStart + tagBytes(9, 0, configuration)
      for _ in 0..<count {
        file += tagBytes(9, 0, hex("27 01 000000") + first + hex(row.frame))
      }
      var reader = try TagReader(PiecewiseSource(file))
      var (faults, together) = (StreamFaults(), StreamFaults())
      while let tag = try reader.nextTag() {
        let packets = try faults.look(at: tag, in: &reader, Limits())
        let data = try reader.data(of: tag).bytes()
        let own = packets.map { packet in
          var packet = packet
          let start = packet.data.lowerBound - tag.data.lowerBound
          packet.data = start..<start + packet.data.count
          return packet
        }
        try together.look(at: tag.header, time: 0, offset: tag.offset, own, in: data.span)
      }
      let places = count == 1 ? "at byte 40" : "at 8 places, the first at byte 40"
      let expected = row.fits ? [] : ["NAL units do not fit their frame \(places)"]
      #expect(faults.words() == expected)
      #expect(together.words() == expected)
      #expect(together.news().count == expected.count)
      #expect(together.news().isEmpty)
      #expect(together.repeated().count == (count > 1 ? expected.count : 0))
    }
  }

  @Test func `It says between which times they fall`() throws {
    var file = fileStart
    for time: UInt32 in [0, 23, 46, 0, 23, 10] { file += tagBytes(8, time, hex("af01 2100")) }
    var reader = try TagReader(MemorySource(file))
    var faults = StreamFaults()
    while let tag = try reader.nextTag() { try faults.look(at: tag, in: &reader, Limits()) }
    #expect(
      faults.words() == [
        "timestamps go back, and continue after the last, at byte 70, from 46 ms to 0 ms",
        "decoding times go back, and are held, at byte 108, from 23 ms to 10 ms",
      ])
    #expect(
      faults.words(repairsTimes: false) == [
        "timestamps go back at byte 70, from 46 ms to 0 ms",
        "decoding times go back at byte 108, from 23 ms to 10 ms",
      ])
    #expect(
      faults.news() == [
        "timestamps go back, and continue after the last, at 69 ms, from 46 ms to 0 ms",
        "decoding times go back, and are held, at 92 ms, from 23 ms to 10 ms",
      ])
  }
}
