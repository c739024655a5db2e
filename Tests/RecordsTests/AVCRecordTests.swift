// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import ApusRecords
import TestSupport
import Testing

/// Records of H.264 by themselves; the values are FFmpeg's.
@Suite struct AVCRecordTests {
  /// The `avcC` that FFmpeg's muxer wrote into `Fixtures/avc1.mp4`.
  private static let record = hex(
    "0164000affe100186764000aacd9447b011000000300100000030320f122596001000668ebe3cb22c0fdf8f800")

  @Test func `it finds a file that is a record`() throws {
    let result = try #require(try RecordFinder.records(of: MemorySource(Self.record)))
    #expect(result.records.isEmpty)
    let found = try #require(result.avcRecords.first)
    #expect(found.bytes == Self.record)
    #expect(found.codecString == "avc1.64000A")
    #expect(found.summary == "High, level 1.0, 4:2:0, 8 bits, 64x48, 25 frames per second")
  }

  /// The file says nowhere what it is, so a bit that the standard fixes must not be another.
  @Test(arguments: [0, 4, 5, 8]) func `it takes nothing else for a record`(place: Int) throws {
    var bytes = Self.record
    bytes[place] ^= 0xff
    #expect(try RecordFinder.records(of: MemorySource(bytes))?.avcRecords.isEmpty ?? true)
  }

  @Test func `it takes no record that is cut`() throws {
    for count in 0..<Self.record.count - 4 {
      let bytes = Array(Self.record.prefix(count))
      let result = try RecordFinder.records(of: MemorySource(bytes))
      // What the High profiles add may be missing.
      #expect(result?.avcRecords.isEmpty ?? true, "\(count) bytes")
    }
  }
}
