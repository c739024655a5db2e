// SPDX-License-Identifier: MIT

import Bytes
import HEVC
import TestSupport
import Testing

struct DecoderConfigurationRecordTests {
  /// The header that ffmpeg 5.1 writes for a Main stream of level 1 by x265 3.5, its VPS cut to three bytes.
  static let record = hex(
    "01 01 60000000 900000000000 1e f000 fc fd f8 f8 0000 0f 01 a0 0001 0003 400 10c")

  @Test func readsEveryField() throws {
    var reader = SyntaxReader(MemorySource(Self.record))
    var record = DecoderConfigurationRecord()
    try record.syntax(&reader)
    #expect(record.generalProfileIDC == 1)
    #expect(record.generalLevelIDC == 30)
    #expect(record.arrays.count == 1)
    #expect(record.arrays.first?.nalUnitType == 32)
    #expect(record.arrays.first?.nalUnits == [[0x40, 0x01, 0x0c]])
    #expect(reader.remaining == 0)
  }
}
