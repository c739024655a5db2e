// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

struct RecordBuilderTests {
  /// Records that ffmpeg 5.1 wrote, with its parameter sets by x265 3.5: extradata from ffprobe. Built
  /// again from the sets in them, only the named fields differ.
  private static let written: [(source: String, record: String, differences: [String])] = [
    (
      "Main, 64x48, hvc1",
      """
      0101 6000 0000 9000 0000 0000 1ef0 00fc fdf8 f800 000f 03a0 0001 0018 4001 0c01
      ffff 0160 0000 0300 9000 0003 0000 0300 1e95 9009 a100 0100 2942 0101 0160 0000
      0300 9000 0003 0000 0300 1ea0 2083 1659 592e 4caf 0168 0800 0003 0008 0000 0300
      c840 a200 0100 0644 01c1 73d0 89
      """,
      // ffmpeg leaves the average at 0, which means unspecified; the VUI says 25 frames a second.
      ["avgFrameRate 0 6400"]
    ),
    (
      "Main 10 with mastering display and light level, hvc1",
      """
      0102 2000 0000 9000 0000 0000 1ef0 00fc fdfa fa00 000f 04a0 0001 0018 4001 0c01
      ffff 0220 0000 0300 9000 0003 0000 0300 1e95 9809 a100 0100 2b42 0101 0220 0000
      0300 9000 0003 0000 0300 1ea0 2083 1365 959a e4ca f016 a122 0120 8000 0003 0080
      0000 0c84 a200 0100 0644 01c1 73d0 8927 0002 0009 4e01 9004 03e8 0190 8000 1e4e
      0189 1833 c286 c41d 4c0b b884 d03e 803d 1340 4200 9896 8000 0003 0032 80
      """,
      ["avgFrameRate 0 6400"]
    ),
  ]

  @Test(arguments: written.indices)
  func `it builds what another program wrote`(_ index: Int) throws {
    let row = Self.written[index]
    let record = try DecoderConfigurationRecord(hex(row.record))
    let nalUnits = record.arrays.flatMap(\.nalUnits)
    let built = try RecordBuilder().record(of: nalUnits.reversed() + nalUnits)
    let differences = FieldDifference.between(
      try FieldMapper.fields(of: record), try FieldMapper.fields(of: built.record))
    // The order inside an array is that in which the sets were given.
    let fixed = differences.filter { !$0.name.hasPrefix("arrays") }
    #expect(
      fixed.map { "\($0.name) \($0.left?.text ?? "") \($0.right?.text ?? "")" } == row.differences)
    #expect(Set(built.record.arrays.flatMap(\.nalUnits)) == Set(nalUnits))
    #expect(built.layered == nil)
  }

  private var sets: [[UInt8]] {
    get throws {
      try DecoderConfigurationRecord(hex(Self.written[0].record)).arrays.flatMap(\.nalUnits)
    }
  }

  /// The picture parameter set with wavefronts.
  private var wavefronts: [UInt8] {
    get throws {
      let unit = NALUnit<PictureParameterSet>(try sets[2])
      var payload = try #require(unit.payload)
      payload.entropyCodingSyncEnabledFlag = true
      return try NALUnit(unit.header, payload).bytes()
    }
  }

  private func changed(_ index: Int, _ change: (inout SequenceParameterSet) -> Void) throws
    -> [UInt8]
  {
    let unit = NALUnit<SequenceParameterSet>(try sets[index])
    var payload = try #require(unit.payload)
    change(&payload)
    return try NALUnit(unit.header, payload).bytes()
  }

  @Test func `it takes the highest level and the bits that all sets share`() throws {
    let other = try changed(1) { set in
      set.spsSeqParameterSetID = 1
      set.profileTierLevel.generalLevelIDC = 93
      set.profileTierLevel.general.tierFlag = true
      set.profileTierLevel.general.profileIDC = 2
      set.profileTierLevel.general.profileCompatibilityFlags = 0x2000_0000
      set.profileTierLevel.general.frameOnlyConstraintFlag = false
      set.spsTemporalIDNestingFlag = false
      set.vui.timing.vuiTimingInfoPresentFlag = false
    }
    let record = try RecordBuilder().record(of: sets + [other]).record
    #expect(record.generalLevelIDC == 93)
    #expect(record.generalTierFlag)
    #expect(record.generalProfileIDC == 2)
    #expect(record.generalProfileCompatibilityFlags == 0x2000_0000)
    #expect(record.generalConstraintIndicatorFlags == 0x8000_0000_0000)
    #expect(!record.temporalIDNested)
    #expect(record.avgFrameRate == 0)
    #expect(record.arrays[1].nalUnits == [try sets[1], other])
  }

  @Test func `it takes the lowest spatial segmentation and the picture sets kind`() throws {
    let restricted = try changed(1) { set in
      set.vui.bitstreamRestrictionFlag = true
      set.vui.bitstreamRestriction.minSpatialSegmentationIDC = 40
    }
    let lower = try changed(1) { set in
      set.spsSeqParameterSetID = 1
      set.vui.bitstreamRestrictionFlag = true
      set.vui.bitstreamRestriction.minSpatialSegmentationIDC = 12
    }
    let nalUnits = [try sets[0], restricted, try wavefronts]
    var record = try RecordBuilder().record(of: nalUnits).record
    #expect(record.minSpatialSegmentationIDC == 40)
    #expect(record.parallelismType == 3)
    record = try RecordBuilder().record(of: nalUnits + [lower]).record
    #expect(record.minSpatialSegmentationIDC == 12)
    record = try RecordBuilder().record(of: sets + [lower]).record
    #expect(record.minSpatialSegmentationIDC == 0)
    #expect(record.parallelismType == 0)
  }

  @Test func `it refuses sets that no record fits`() throws {
    let deeper = try changed(1) { set in
      set.spsSeqParameterSetID = 1
      set.format.bitDepthLumaMinus8 = 2
    }
    let conflicting = try changed(1) { $0.profileTierLevel.generalLevelIDC = 60 }
    let foreign = try changed(1) { set in
      set.spsSeqParameterSetID = 1
      set.profileTierLevel.general.profileIDC = 4
      set.profileTierLevel.general.profileCompatibilityFlags = 0x0800_0000
    }
    let sets = try sets
    let refused: [(nalUnits: [[UInt8]], reason: String)] = [
      (sets + [deeper], "bit_depth_luma_minus8 is 0 and 2"),
      (sets + [conflicting], "SPS 0 is given twice with different contents: 41 bytes"),
      (sets + [foreign], "general_profile_idc is 1 and 4"),
      (Array(sets.dropLast()), "PPS is missing"),
      (Array(sets.dropFirst()), "VPS is missing"),
      (sets + [[0x42, 1, 1]], "SPS_NUT cannot be read"),
    ]
    for (nalUnits, reason) in refused {
      let error = #expect(throws: SyntaxError.self) { try RecordBuilder().record(of: nalUnits) }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }

  /// What each player asks for, as a program would write it.
  @Test func `it gives the bytes that players want`() throws {
    let record = try RecordBuilder().record(of: sets).record
    // WebCodecs: VideoDecoder.configure({codec, description})
    let codec = record.codecString(sampleEntry: "hvc1")
    let description = try record.bytes()
    #expect(codec == "hvc1.1.6.L30.90")
    #expect(description.first == 1)
    // VideoToolbox: CMVideoFormatDescriptionCreateFromHEVCParameterSets(…, parameterSetPointers, …)
    #expect(record.parameterSets == (try sets))
    #expect(record.lengthSize == 4)
    // FLV: the body of a sequence start tag after its header.
    let enhanced: [UInt8] = [0x90] + Array("hvc1".utf8) + description
    let legacy: [UInt8] = [0x1c, 0, 0, 0, 0] + description
    #expect(enhanced.count == description.count + 5 && legacy.count == description.count + 5)
    // A decoder that reads a byte stream.
    #expect(AnnexB.nalUnits(in: record.annexB) == (try sets))
  }

  @Test(arguments: [(1, true), (2, true), (4, true), (3, false), (0, false), (8, false)])
  func `it takes lengths of one two or four bytes`(_ size: Int, _ isLegal: Bool) throws {
    var builder = RecordBuilder()
    builder.lengthSize = size
    let record = try? builder.record(of: sets).record
    #expect((record != nil) == isLegal)
    #expect(record.map { $0.lengthSize == size } ?? true)
  }

  @Test func `it leaves user data out unless asked`() throws {
    // SEI user_data_unregistered of 16 + 1 bytes, by hand from D.2.7, and an access unit delimiter.
    let userData = hex("4e01 0511 2ca2de09b51747dbbb55a4fe7fc2fc4e 41 80")
    let delimiter = hex("4601 50")
    var builder = RecordBuilder()
    var built = try builder.record(of: [delimiter, userData] + sets)
    #expect(built.record.arrays.map(\.nalUnitType) == [32, 33, 34])
    #expect(built.leftOut.count == 2)
    builder.keepsUserData = true
    built = try builder.record(of: [delimiter, userData] + sets)
    #expect(built.record.arrays.map(\.nalUnitType) == [32, 33, 34, 39])
    #expect(built.record.arrays.map(\.arrayCompleteness) == [true, true, true, false])
    builder.isComplete = false
    built = try builder.record(of: sets)
    #expect(built.record.arrays.allSatisfy { !$0.arrayCompleteness })
  }

  /// Sets of layer 1 by hand from F.7.3.1.2: `nuh_layer_id` is five bits of the second byte.
  @Test func `it puts sets of upper layers into a layered record`() throws {
    let upper = try sets.dropFirst().map { set in
      var copy = set
      copy[1] |= 1 << 3
      return copy
    }
    let built = try RecordBuilder().record(of: sets + upper)
    #expect(built.record.arrays.map(\.nalUnits) == (try sets.map { [$0] }))
    let layered = try #require(built.layered)
    #expect(layered.arrays.map(\.nalUnitType) == [33, 34])
    #expect(layered.arrays.flatMap(\.nalUnits) == upper)
    // 14496-15, 9.6.2: version, 4 ones and segmentation, 6 ones and parallelism, 2 ones and the last byte.
    #expect(try layered.bytes().prefix(6) == [0x01, 0xf0, 0x00, 0xfc, 0xcf, 0x02])
    #expect(
      try LayeredDecoderConfigurationRecord(layered.bytes()).arrays.flatMap(\.nalUnits) == upper)
  }

  /// H.265, 7.4.4: the flag of the profile itself is 1, even where an encoder forgot it.
  @Test func `it says that a stream is compatible with its own profile`() throws {
    let careless = try changed(1) { set in
      set.profileTierLevel.general.profileCompatibilityFlags = 0x8000_0000
    }
    let nalUnits = [try sets[0], careless, try sets[2]]
    let record = try RecordBuilder().record(of: nalUnits).record
    #expect(record.generalProfileCompatibilityFlags == 0x4000_0000)
  }
}
