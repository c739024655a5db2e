// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

@Suite struct FragmentWriterTests {
  /// Samples of one track, a fragment after each group.
  private func file(_ groups: [[ShortSample]]) throws -> WrittenMovie {
    var writer = try FragmentWriter(tracks(1), to: ArraySink())
    var number = 0
    for group in groups {
      for sample in group {
        try writer.add(sample.sample(number: number), to: 0)
        number += 1
      }
      try writer.cut()
    }
    try writer.finish()
    return try WrittenMovie(writer.sink.bytes)
  }

  @Test func `it holds the last sample back`() throws {
    let file = try file([
      [.init(0), .init(40, sync: false)], [.init(80, sync: false), .init(120)], [.init(160)],
    ])
    #expect(
      file.tree.boxes.map(\.type) == [
        "ftyp", "moov", "moof", "mdat", "moof", "mdat", "moof", "mdat", "moof", "mdat",
      ])
    let found = try file.samples()
    #expect(found.map(\.decodeTime) == [0, 40, 80, 120, 160])
    #expect(found.map(\.duration) == [40, 40, 40, 40, 40])
    #expect(found.map(\.isSync) == [true, false, false, true, true])
    for (number, sample) in found.enumerated() {
      #expect(try file.content(of: sample) == ShortSample(0).sample(number: number).payload.bytes())
    }
    #expect(file.movie.isFragmented)
  }

  @Test func `it hides what is decoded before the beginning`() throws {
    let reordered: [ShortSample] = [
      .init(-40, 40), .init(0, 80, sync: false), .init(40, 0, sync: false),
    ]
    let file = try file([reordered, [.init(80, 40)]])
    #expect(try file.edits() == "40 for 0")
    #expect(try file.samples().map(\.compositionTime) == [40, 120, 80, 160])
    let negative = try self.file([[.init(1000, 0), .init(1040, 80), .init(1080, -40)]])
    #expect(try negative.edits() == "40 for 0")
    #expect(try negative.samples().map(\.compositionTime) == [40, 160, 80])
    #expect(try negative.samples().allSatisfy { $0.compositionOffset >= 0 })
  }

  @Test func `it takes a track that begins later`() throws {
    var writer = try FragmentWriter(tracks(2, timescales: [1000, 48000]), to: ArraySink())
    for number in 0..<4 {
      try writer.add(ShortSample(5000 + Int64(number) * 40).sample(number: number), to: 0)
    }
    try writer.cut()
    for number in 0..<3 {
      let sample = ShortSample(48000 * 6 + Int64(number) * 1024)
      try writer.add(sample.sample(number: number), to: 1)
    }
    try writer.finish()
    let file = try WrittenMovie(writer.sink.bytes)
    #expect(try file.samples(0).map(\.decodeTime) == [0, 40, 80, 120])
    // A second after the video began.
    #expect(try file.samples(1).map(\.decodeTime) == [48000, 49024, 50048])
    #expect(try file.edits(1).isEmpty)
  }

  @Test func `it goes on after a gap beyond 32 bits`() throws {
    let file = try file([[.init(0), .init(40), .init(1 << 34), .init(1 << 34 + 40)]])
    #expect(try file.samples().map(\.decodeTime) == [0, 40, 1 << 34, 1 << 34 + 40])
  }

  @Test func `it refuses times that fall`() throws {
    #expect(throws: SyntaxError.self) { _ = try file([[.init(40), .init(0)]]) }
    #expect(throws: SyntaxError.self) { _ = try file([]) }
  }

  /// Counts what is handed on.
  private struct WaitingSink: ByteSink {
    var count = 0
    var handedOn = 0

    mutating func append(_ byte: UInt8) { count += 1 }
    mutating func append(_ bytes: Span<UInt8>) { count += bytes.count }
    mutating func passOn() { handedOn = count }
  }

  @Test func `it keeps nothing of a fragment that is written`() throws {
    var writer = try FragmentWriter(tracks(1), to: WaitingSink())
    try writer.add(ShortSample(0).sample(number: 0), to: 0)
    try writer.cut()
    #expect(writer.sink.count == 0)
    try writer.add(ShortSample(40).sample(number: 1), to: 0)
    try writer.cut()
    #expect(writer.sink.count > 0 && writer.sink.handedOn == writer.sink.count)
    #expect(writer.pendingSize == 3)
  }
}
