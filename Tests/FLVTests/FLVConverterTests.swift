// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@Suite struct FLVConverterTests {
  private func converted(
    _ source: any ByteSource, _ dialect: HEVCDialect? = nil,
    _ change: (inout FLVConverter.Options) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], report: ConversionReport) {
    var options = FLVConverter.Options()
    options.dialect = dialect
    change(&options)
    let converter = try FLVConverter(source, options: options)
    var sink = ArraySink()
    try converter.write(to: &sink)
    return (sink.bytes, converter.report)
  }

  /// Type, time and data of all tags but the metadata.
  private func tags(_ source: any ByteSource) throws -> [String] {
    var reader = try TagReader(source)
    var result: [String] = []
    while let tag = try reader.nextTag() {
      let data = try reader.data(of: tag).bytes()
      if tag.header.type != .script {
        result.append("\(tag.header.type) \(tag.time) \(data.hexadecimal())")
      }
    }
    return result
  }

  @Test(
    arguments: [
      ("enhanced.flv", HEVCDialect.legacy, "legacy.flv"),
      ("enhanced.flv", .enhanced, "enhanced.flv"),
      ("legacy.flv", .legacy, "legacy.flv"),
    ])
  func `A dialect is changed as another program changes it, and nothing else`(
    source: String, dialect: HEVCDialect, expected: String
  ) throws {
    let (bytes, _) = try converted(Fixture.source(source), dialect)
    #expect(try tags(MemorySource(bytes)) == tags(Fixture.source(expected)))
  }

  @Test
  func `The way back gives the tags that FFmpeg wrote, all but the colours`() throws {
    let (bytes, report) = try converted(Fixture.source("enhanced.flv"), .legacy)
    #expect(report.lostColours == 1)
    let (again, second) = try converted(MemorySource(bytes), .enhanced)
    let colours = "video 0 d468766331"
    #expect(
      try tags(MemorySource(again))
        == tags(Fixture.source("enhanced.flv")).filter { !$0.hasPrefix(colours) })
    #expect(second.converted == 11)
    #expect(try converted(MemorySource(again), .enhanced).bytes == again)
  }

  @Test(
    arguments: [
      ("legacy.flv", HEVCDialect.enhanced, 1_752_589_105.0), ("enhanced.flv", .legacy, 12.0),
    ])
  func `Metadata gets codec id, duration, size and an index that is true`(
    source: String, dialect: HEVCDialect, id: Double
  ) throws {
    let (bytes, report) = try converted(Fixture.source(source), dialect)
    var reader = try TagReader(MemorySource(bytes))
    let first = try #require(try reader.nextTag())
    guard case .script(let message) = reader.content(of: first) else {
      Issue.record("the first tag is no script")
      return
    }
    let metadata = try #require(message.metadata)
    #expect(metadata["videocodecid"]?.number == id)
    #expect(metadata["filesize"]?.number == Double(bytes.count))
    // ffprobe says that the last AAC frame begins at 0.475 s; AAC frames of 44.1 kHz last 23 ms.
    #expect(metadata["duration"]?.number == 0.498)
    let places = try #require(metadata["keyframes"]?["filepositions"]?.values).map(\.integer)
    let times = try #require(metadata["keyframes"]?["times"]?.values).map(\.number)
    #expect(report.keyFrames == 2)
    var keys: [(Int, Double)] = []
    while let tag = try reader.nextTag() {
      for packet in try reader.packets(of: tag)
      where packet.frameType == .key && packet.kind == .frames && tag.header.type == .video {
        keys.append((tag.offset, Double(tag.time) / 1000))
      }
    }
    #expect(places == keys.map(\.0))
    #expect(times == keys.map(\.1))
  }

  @Test
  func `What the older dialect cannot hold is counted or refused`() throws {
    let (bytes, report) = try converted(Fixture.source("nanoseconds.flv"), .legacy)
    #expect(report.lostNanoseconds == 10)
    #expect(try tags(MemorySource(bytes)) == tags(Fixture.source("legacy.flv")))
    #expect(throws: SyntaxError.self) { try converted(Fixture.source("many-tracks.flv"), .legacy) }
    let (kept, _) = try converted(Fixture.source("many-tracks.flv"), .enhanced)
    #expect(try tags(MemorySource(kept)) == tags(Fixture.source("many-tracks.flv")))
  }

  private static let key = hex("1c 01 000000 00000003 2801af")
  private static let inter = hex("2c 01 000000 00000003 0201d0")

  private func video(_ time: UInt32, _ offset: Int32 = 0, key: Bool = false) -> [UInt8] {
    var data = key ? Self.key : Self.inter
    data.replaceSubrange(2..<5, with: big(UInt32(bitPattern: offset) & 0xff_ffff, 3))
    return tagBytes(9, time, data)
  }

  private func times(_ bytes: [UInt8]) throws -> [String] {
    var reader = try TagReader(MemorySource(bytes))
    var result: [String] = []
    while let tag = try reader.nextTag() {
      for packet in try reader.packets(of: tag) {
        result.append("\(tag.header.type) \(tag.header.timestamp)+\(packet.compositionTime)")
      }
    }
    return result
  }

  @Test
  func `Times that fall are held, and pictures are still shown when they were`() throws {
    let file = fileStart + video(40, 40, key: true) + video(30, 60) + video(80)
    let (bytes, report) = try converted(MemorySource(file))
    #expect(try times(bytes) == ["video 40+40", "video 40+50", "video 80+0"])
    #expect(report.heldTimes == 1)
    let (kept, _) = try converted(MemorySource(file)) { $0.repairsTimes = false }
    #expect(try times(kept) == ["video 40+40", "video 30+60", "video 80+0"])
  }

  @Test
  func `A recording that begins again goes on, and a timestamp that wraps is written whole`() throws
  {
    let sound = tagBytes(8, 20_015, hex("af0121"))
    let file =
      fileStart + video(19_960, key: true) + video(20_000) + sound + video(0, key: true) + video(40)
    let (bytes, report) = try converted(MemorySource(file))
    #expect(
      try times(bytes) == [
        "video 19960+0", "video 20000+0", "audio 20015+0", "video 20055+0", "video 20095+0",
      ])
    #expect(report.restarts == 1)
    let wrapped = fileStart + video(0x7fff_fff0, key: true) + video(0x10)
    #expect(
      try times(converted(MemorySource(wrapped)).bytes) == [
        "video 2147483632+0", "video 2147483664+0",
      ])
  }

  @Test
  func `Frame types, sizes, junk and a cut tag are put right`() throws {
    var lying = Self.inter
    lying[0] = 0x1c
    let file =
      fileStart + video(0, key: true) + hex("beef") + tagBytes(9, 40, lying, size: 0)
      + video(80).dropLast(8)
    let (bytes, report) = try converted(MemorySource(file))
    #expect(report.frameTypes == 1)
    #expect(report.isTruncated)
    var reader = try TagReader(MemorySource(bytes))
    var frames: [FrameType] = []
    while let tag = try reader.nextTag() {
      #expect(tag.previousTagSize == tag.expectedPreviousTagSize)
      frames += try reader.packets(of: tag).map(\.frameType)
    }
    #expect(frames == [.key, .inter])
    #expect(bytes[4] == 1)
  }

  /// What a conversion writes, a second one leaves alone.
  @Test(
    arguments: [
      // Colours alone, which the older dialect cannot hold.
      tagBytes(9, 0, hex("d4 68766331 020009636f6c6f72496e666f 06")),
      // A configuration with a composition time.
      tagBytes(9, 160, hex("17 00 184001 01")),
      // Metadata with AMF 3, behind which nothing can stand.
      tagBytes(
        18, 0, hex("02000a6f6e4d65746144617461 03 000161 00 4000000000000000 000162 11 0102")),
      // Metadata without its end.
      tagBytes(18, 0, hex("02000a6f6e4d65746144617461 08 00000000 000161 00 4000000000000000")),
    ])
  func `A converted file is converted no more`(tags: [UInt8]) throws {
    for dialect in HEVCDialect.allCases {
      let (once, _) = try converted(MemorySource(fileStart + tags), dialect)
      #expect(try converted(MemorySource(once), dialect).bytes == once)
    }
  }
}
