// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@Suite struct TagReaderTests {
  static let files = [
    "enhanced.flv", "enhanced-hdr10.flv", "sounds.flv", "legacy.flv", "many-tracks.flv",
    "nanoseconds.flv", "avc.flv",
  ]

  @Test(arguments: files)
  func `A file is covered by its elements and given back byte for byte`(name: String) throws {
    let source = try Fixture.source(name)
    let bytes = try source.bytes(in: 0..<source.count)
    #expect(try rewritten(source) == bytes)
    #expect(try rewritten(MemorySource(bytes)) == bytes)
    for element in try elements(source) {
      if case .tag(let tag) = element {
        #expect(tag.previousTagSize == tag.expectedPreviousTagSize)
      }
    }
  }

  @Test(arguments: ["enhanced-hdr10.flv"])
  func `A file cut anywhere is covered by its elements`(name: String) throws {
    let source = try Fixture.source(name)
    let bytes = try source.bytes(in: 0..<source.count)
    for count in 9..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(try rewritten(PiecewiseSource(cut)) == cut)
    }
  }

  /// `video 0, audio 23, junk 5` and so on.
  private func summary(_ bytes: [UInt8]) throws -> [String] {
    try elements(PiecewiseSource(bytes)).map { element in
      switch element {
      case .tag(let tag):
        tag.previousTagSize == tag.expectedPreviousTagSize ?? tag.previousTagSize
          ? "\(tag.header.type) \(tag.time)" : "\(tag.header.type) \(tag.time) wrong size"
      case .junk(let range): "junk \(range.count)"
      case .truncated(let header, let range): "cut \(header.type) \(range.count)"
      case .end(let size, let expected): size == expected ?? size ? "end" : "wrong end"
      }
    }
  }

  @Test
  func `A wrong size, bytes between tags and a cut tag leave the other tags whole`() throws {
    let (a, b) = (tagBytes(9, 0, hex("1c0100000000")), tagBytes(8, 23, hex("af0121")))
    #expect(try summary(fileStart + a + b) == ["video 0", "audio 23", "end"])
    #expect(
      try summary(fileStart + tagBytes(9, 0, hex("1c01"), size: 0) + b)
        == ["video 0", "audio 23 wrong size", "end"])
    #expect(
      try summary(fileStart + a + hex("dead beef 00 09") + b)
        == ["video 0", "junk 6", "audio 23", "end"])
    #expect(try summary(fileStart + a + b.dropLast(5)) == ["video 0", "cut audio 17"])
    #expect(try summary(fileStart + a + b.dropLast(2)) == ["video 0", "audio 23", "junk 2"])
    #expect(try summary(fileStart + a + b.dropLast(4)) == ["video 0", "audio 23"])
    // A size in the header that leads far beyond the next tags.
    var lying = tagBytes(8, 5, hex("af0122"))
    lying[1] = 0x7f
    #expect(
      try summary(fileStart + a + lying + b + a)
        == ["video 0", "junk 18", "audio 23", "video 0", "end"])
    #expect(try summary(fileStart + [UInt8](repeating: 9, count: 5000)) == ["junk 5004"])
    #expect(try summary(Array(fileStart.dropLast(4))) == [])
  }

  @Test(
    arguments: [
      ([0xffff_fff0, 0x10, 0x20], [0xffff_fff0, 0x1_0000_0010, 0x1_0000_0020]),
      (
        [0x7fff_fff0, 0x10, 0x7fff_ffff, 0x30],
        [0x7fff_fff0, 0x8000_0010, 0x7fff_ffff, 0x8000_0030]
      ),
      ([0xff_fff0, 0x10, 0x20], [0xff_fff0, 0x100_0010, 0x100_0020]),
      ([0xff_fff0, 0x100_0010], [0xff_fff0, 0x100_0010]),
      ([0x7fff_fff0, 0x8000_0010, 0x8000_0020], [0x7fff_fff0, 0x8000_0010, 0x8000_0020]),
      ([5_000_000, 40, 80], [5_000_000, 40, 80]), ([1000, 900, 1040], [1000, 900, 1040]),
    ] as [([UInt32], [Int64])])
  func `Times go on where 24, 31 or 32 bits wrap, and follow a jump`(
    stamps: [UInt32], times: [Int64]
  ) {
    var clock = TagClock()
    #expect(stamps.map { clock.time(of: $0) } == times)
  }

  @Test(
    arguments: [
      24, 31, 32,
    ])
  func `Sixty days of frames keep their times, whatever width the writer has`(bits: UInt64) {
    var clock = TagClock()
    var time: UInt64 = 0
    var wrong = 0
    while time < 60 * 86_400_000 {
      let stamp = UInt32(truncatingIfNeeded: time & (1 << bits - 1))
      if clock.time(of: stamp) != Int64(time) { wrong += 1 }
      time += 7001
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [1, 7, 4096])
  func `A growing stream gives the same tags as the file, however it comes`(step: Int) throws {
    let source = try Fixture.source("enhanced.flv")
    let bytes = try source.bytes(in: 0..<source.count)
    let expected = try elements(source).compactMap { element in
      if case .tag(let tag) = element { (tag.offset, tag.time, tag.header) } else { nil }
    }
    var stream = TagStream()
    var seen = 0
    for start in stride(from: 0, to: bytes.count, by: step) {
      stream.append(Array(bytes[start..<min(start + step, bytes.count)]).span)
      while let tag = try stream.next() {
        #expect((tag.offset, tag.time) == (expected[seen].0, expected[seen].1))
        #expect(tag.header == expected[seen].2)
        #expect(tag.data == Array(bytes[tag.offset + 11..<tag.offset + 11 + tag.data.count]))
        seen += 1
      }
    }
    #expect(seen == expected.count)
    #expect(stream.remaining.count == 4)
    #expect(stream.skipped == 0)
  }

  @Test
  func `A growing stream passes over what is no tag, and refuses what is none at all`() throws {
    var stream = TagStream()
    let a = tagBytes(9, 0, hex("1c0100000000"))
    stream.append((fileStart + a + hex("dead beef 00 09") + a + a).span)
    var offsets: [Int] = []
    while let tag = try stream.next() { offsets.append(tag.offset) }
    #expect(offsets == [13, 13 + 21 + 6, 13 + 42 + 6])
    #expect(stream.skipped == 6)
    var other = TagStream()
    other.append([UInt8](repeating: 0x47, count: 20).span)
    #expect(throws: SyntaxError.self) { try other.next() }
  }

  @Test(arguments: files)
  func `Everyday tags say the same by their first bytes and by their declaration`(name: String)
    throws
  {
    var reader = try TagReader(Fixture.source(name))
    var simple = 0
    while let tag = try reader.nextTag() {
      let declared = Packet.packets(in: reader.content(of: tag))
      let packets = try reader.packets(of: tag)
      #expect("\(packets)" == "\(declared)")
      simple += packets.count
    }
    #expect(simple > 0)
  }

  @Test
  func `A tag of any first bytes says the same both ways`() throws {
    for first in UInt8.min...UInt8.max {
      for second: UInt8 in [0, 1, 2, 3, 0x68] {
        for count in 1...12 {
          let data = Array(([first, second] + hex("766331 ffffbd 00112233")).prefix(count))
          for type: UInt8 in [8, 9] {
            var reader = try TagReader(MemorySource(fileStart + tagBytes(type, 0, data)))
            let tag = try #require(try reader.nextTag())
            let declared = Packet.packets(in: reader.content(of: tag))
            #expect("\(try reader.packets(of: tag))" == "\(declared)")
          }
        }
      }
    }
  }
}
