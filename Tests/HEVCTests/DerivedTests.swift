// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

struct DerivedTests {
  static func sequence(_ source: String) throws -> SequenceParameterSet {
    let row = try #require(
      (SequenceParameterSetRows.rows + SequenceParameterSetFormatRows.rows).first {
        $0.source.hasSuffix(source)
      })
    return try #require(NALUnit<SequenceParameterSet>(row.bytes).payload)
  }

  /// What the encoder was asked for.
  @Test(arguments: [
    ("178x146", "178x146", "4:2:0", 8, "30", "Main"),
    ("--display-window", "176x144", "4:2:0", 8, "25", "Main"),
    ("bt2020 --transfer smpte2084", "128x96", "4:2:0", 10, "25", "Main 10"),
    ("4:2:2 -D 10", "128x96", "4:2:2", 10, "25", "Main 4:2:2 10"),
    ("4:4:4 -D 12 --keyint 1", "128x96", "4:4:4", 12, "25", "Main 4:4:4 12 Intra"),
    ("mainstillpicture", "176x144", "4:2:0", 8, "25", "Main Still Picture"),
  ])
  func `it tells what pictures look like`(
    _ row: (source: String, size: String, chroma: String, depth: Int, rate: String, name: String)
  ) throws {
    let set = try Self.sequence(row.source)
    #expect(set.displaySize?.description == row.size)
    #expect(set.chromaFormatName == row.chroma)
    #expect(set.bitDepthLuma == row.depth)
    #expect(set.bitDepthChroma == row.depth)
    #expect(set.frameRate?.description == row.rate)
    #expect(set.profileTierLevel.profileName == row.name)
  }

  @Test func `it tells level and tier`() throws {
    let set = try Self.sequence("--level-idc 5.1 --high-tier")
    #expect(set.profileTierLevel.levelName == "5.1")
    #expect(set.profileTierLevel.tierName == "High")
    #expect(Level.name(of: 120) == "4.0")
    #expect(Level.name(of: 255) == "8.5")
  }

  @Test func `it tells the shape of a sample`() throws {
    #expect(try Self.sequence("--sar 100:99 --overscan crop").sampleAspectRatio?.width == 100)
    #expect(try Self.sequence("--display-window").sampleAspectRatio?.height == 3)
  }

  /// The record of an ordinary camera file, its arrays left out.
  @Test func `it names the codec of a record`() throws {
    let bytes = hex("01 01 60000000 b00000000000 78 f000 fc fd f8f8 0000 0f 00")
    var reader = SyntaxReader(MemorySource(bytes))
    var record = DecoderConfigurationRecord()
    try record.syntax(&reader)
    #expect(record.codecString() == "hvc1.1.6.L120.B0")
    #expect(record.profileName == "Main")
    #expect(record.levelName == "4.0")
    #expect(record.tierName == "Main")
  }

  /// ISO/IEC 14496-15, E.3: the space as a letter, the flags in reverse, bytes of 0 at the end left out.
  @Test(arguments: [
    ("hev1", 0, 1, 0x6000_0000, false, 93, 0xb000_0000_0000, "hev1.1.6.L93.B0"),
    ("hev1", 1, 2, 0x2000_0000, true, 153, 0, "hev1.A2.4.H153"),
    ("hvc1", 0, 4, 0x0800_0000, false, 120, 0x9ff8_0000_0000, "hvc1.4.10.L120.9F.F8"),
    ("hvc1", 0, 6, 0x0200_0000, false, 156, 0xbf80_0000_0000, "hvc1.6.40.L156.BF.80"),
    ("hvc1", 3, 1, 0x8000_0000, false, 90, 0x9000_0000_0001, "hvc1.C1.1.L90.90.0.0.0.0.1"),
  ])
  func `it names codecs`(
    _ row: (
      entry: String, space: UInt8, idc: UInt8, flags: UInt32, isHigh: Bool, level: UInt8,
      constraints: UInt64, text: String
    )
  ) {
    let text = CodecString.hevc(
      sampleEntry: row.entry, profileSpace: row.space, profileIDC: row.idc,
      compatibility: row.flags, isHighTier: row.isHigh, levelIDC: row.level,
      constraints: row.constraints)
    #expect(text == row.text)
  }

  @Test func `it names Dolby Vision`() {
    #expect(
      CodecString.dolbyVision(sampleEntry: "dvh1", profile: 5, level: 6) == "dvh1.05.06")
    #expect(
      CodecString.dolbyVision(sampleEntry: "dav1", profile: 10, level: 13) == "dav1.10.13")
  }

  /// The order in which x265 says that it encodes with `--bframes 8 --b-adapt 2 --open-gop`, and with
  /// `--keyint 10 --no-open-gop --bframes 4`; order counts of a few bits must wrap.
  @Test(arguments: [
    ([0, 6, 3, 1, 2, 4, 5, 12, 9, 7, 8, 10, 11, 13, 18, 16, 14, 15, 17, 21, 20, 19, 24, 23], [0]),
    ([0, 5, 3, 1, 2, 4, 9, 7, 6, 8, 0, 5, 3, 1, 2, 4, 9, 7, 6, 8, 0, 3, 2, 1], [0, 10, 20]),
  ])
  func `it counts pictures`(_ row: (counts: [Int], refreshes: [Int])) {
    var counter = PictureOrderCounter()
    for (index, count) in row.counts.enumerated() {
      let header = NALUnitHeader(row.refreshes.contains(index) ? .idrWRADL : .trailR)
      #expect(counter.count(header, lsb: count & 15, log2MaxLSB: 4) == count)
    }
  }
}
