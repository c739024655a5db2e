// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

struct DecoderConfigurationRecordTests {
  /// The header that ffmpeg 5.1 writes for a Main stream of level 1 by x265 3.5, its VPS cut to three bytes.
  static let record = hex(
    "01 01 60000000 900000000000 1e f000 fc fd f8 f8 0000 0f 01 a0 0001 0003 400 10c")

  @Test func `it reads every field`() throws {
    let fields = try FieldMapper.fields(of: Self.read(Self.record)).flatMap(\.leaves)
    #expect(
      fields.map { "\($0.name)=\($0.field.text)" } == [
        "configurationVersion=1", "general_profile_space=0", "general_tier_flag=0",
        "general_profile_idc=1", "general_profile_compatibility_flags=0x60000000",
        "general_constraint_indicator_flags=0x900000000000", "general_level_idc=30", "reserved=15",
        "min_spatial_segmentation_idc=0", "reserved=63", "parallelismType=0", "reserved=63",
        "chroma_format_idc=1", "reserved=31", "bit_depth_luma_minus8=0", "reserved=31",
        "bit_depth_chroma_minus8=0", "avgFrameRate=0", "constantFrameRate=0", "numTemporalLayers=1",
        "temporalIdNested=1", "lengthSizeMinusOne=3", "numOfArrays=1",
        "arrays[0].array_completeness=1", "arrays[0].reserved=0", "arrays[0].NAL_unit_type=32",
        "arrays[0].numNalus=1", "arrays[0].nalus[0].nalUnitLength=3",
        "arrays[0].nalus[0].nalUnit=0x40010c",
      ])
  }

  @Test func `it writes the same bytes`() throws {
    #expect(try Self.written(Self.read(Self.record)) == Self.record)
  }

  /// A wrong mask or shift loses at least one bit of the 22 bytes before the number of arrays.
  @Test(arguments: 0..<176) func `it keeps every bit of the header`(_ bit: Int) throws {
    var flipped = Self.record
    flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
    #expect(try Self.written(Self.read(flipped)) == flipped)
  }

  @Test(arguments: 0..<record.count) func `it refuses every prefix`(_ count: Int) {
    let error = #expect(throws: SyntaxError.self) {
      try Self.read(Array(Self.record.prefix(count)))
    }
    #expect(error?.kind == .truncated)
  }

  private static func read(_ bytes: [UInt8]) throws -> DecoderConfigurationRecord {
    var reader = SyntaxReader(MemorySource(bytes))
    var record = DecoderConfigurationRecord()
    try record.syntax(&reader)
    try #require(reader.remaining == 0)
    return record
  }

  private static func written(_ record: DecoderConfigurationRecord) throws -> [UInt8] {
    var record = record
    var writer = SyntaxWriter(ArraySink())
    try record.syntax(&writer)
    return writer.sink.bytes
  }
}
