// SPDX-License-Identifier: MIT

import Bytes
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
}
