// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC
import TestSupport
import Testing

struct RecordFinderTests {
  /// Which tracks or items use a record, by ffprobe's stream ids and heif-info's item ids.
  @Test(arguments: [
    ("hvc1.mp4", ["moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC: hvc1, track 1"]),
    ("hev1-10bit.mp4", ["moov/trak/mdia/minf/stbl/stsd/hev1/hvcC: hev1, track 1"]),
    ("fragmented.mp4", ["moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC: hvc1, track 1"]),
    ("avc1.mp4", []),
    ("still-64x48.heic", ["meta/iprp/ipco/hvcC: hvc1, item 1"]),
    (
      "alpha.heic",
      ["meta/iprp/ipco/hvcC: hvc1, item 1", "meta/iprp/ipco/hvcC[1]: hvc1, item 2"]
    ),
  ])
  func `it finds each record with its users`(_ name: String, _ expected: [String]) throws {
    let found = try Fixture.records(name).map { record in
      "\(record.path): "
        + ([record.entryType?.description ?? ""] + record.users.map(\.description))
        .joined(separator: ", ")
    }
    #expect(found == expected)
  }

  /// The bytes are the extradata that ffprobe shows.
  @Test func `it finds the bytes of a record`() throws {
    let record = try #require(try Fixture.records("hvc1.mp4").first)
    #expect(
      record.bytes
        == hex(
          """
          0101 6000 0000 9000 0000 0000 1ef0 00fc fdf8 f800 000f 03a0 0001 0018 4001 0c01
          ffff 0160 0000 0300 9000 0003 0000 0300 1e95 9009 a100 0100 2942 0101 0160 0000
          0300 9000 0003 0000 0300 1ea0 2083 1659 592e 4caf 0168 0800 0003 0008 0000 0300
          c840 a200 0100 0644 01c1 73d0 89
          """))
    #expect(record.codecString == "hvc1.1.6.L30.90")
    let offset = try #require(record.offset)
    let range = offset..<offset + record.bytes.count
    #expect(try Fixture.source("hvc1.mp4").bytes(in: range) == record.bytes)
  }

  @Test func `it builds the record of a byte stream`() throws {
    let found = try RecordFinder.record(ofStream: Fixture.source("stream.hevc"))
    #expect(found.users == [.stream])
    #expect(found.codecString == "hvc1.1.6.L30.90")
    #expect(found.record.arrays.map(\.nalUnitType) == [32, 33, 34])
    #expect(found.record.arrays.allSatisfy { $0.nalUnits.count == 1 && $0.arrayCompleteness })
  }

  @Test func `it reads a file that is a record`() throws {
    let bytes = try #require(try Fixture.records("hvc1.mp4").first).bytes
    let found = try RecordFinder.record(fileOf: bytes)
    #expect(found.users == [.file])
    #expect(found.bytes == bytes)
    #expect(throws: SyntaxError.self) { try RecordFinder.record(fileOf: bytes + [0]) }
  }

  @Test func `it names each record once`() throws {
    let records = try Fixture.records("grid.heic")
    let distinct = records.distinct
    #expect(distinct.flatMap(\.users).count == records.flatMap(\.users).count)
    #expect(Set(distinct.map(\.bytes)).count == distinct.count)
  }
}
