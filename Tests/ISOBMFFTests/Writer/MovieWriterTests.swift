// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF
import Testing

@Suite struct MovieWriterTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var samples: [ShortSample]
    var edits = ""
    /// Of the samples in the file, by hand: those that were given, moved so that none is below 0.
    var offsets: [Int64]
    var duration: UInt64
    var end: Int64?

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "pictures in order", samples: [.init(0), .init(40), .init(80)], offsets: [0, 0, 0],
      duration: 120),
    Row(
      name: "reordered pictures", samples: [.init(0, 80), .init(40, 160), .init(80, 40)],
      edits: "80 for 160", offsets: [80, 160, 40], duration: 120),
    Row(
      name: "shown before they are decoded", samples: [.init(0, 0), .init(40, 80), .init(80, -40)],
      edits: "40 for 160", offsets: [40, 120, 0], duration: 120),
    Row(
      name: "a beginning far from 0", samples: [.init(90_000), .init(90_040)], offsets: [0, 0],
      duration: 80),
    Row(
      name: "sound before the beginning", samples: [.init(-40), .init(0), .init(40)],
      edits: "40 for 80", offsets: [0, 0, 0], duration: 120),
    Row(
      name: "nothing but what is before the beginning", samples: [.init(-400), .init(-360)],
      offsets: [0, 0], duration: 80),
    Row(
      name: "uneven steps and a last one that is told",
      samples: [.init(0), .init(33), .init(67), .init(100, lasting: 12)], offsets: [0, 0, 0, 0],
      duration: 112),
    Row(name: "one sample", samples: [.init(5, lasting: 40)], offsets: [0], duration: 40),
    Row(
      name: "one sample of which nothing is known", samples: [.init(0)], offsets: [0], duration: 0),
    Row(
      name: "samples at the same time", samples: [.init(0), .init(0), .init(0)],
      offsets: [0, 0, 0], duration: 0),
    Row(
      name: "an end within the last sample", samples: [.init(0), .init(40), .init(80)],
      edits: "0 for 100", offsets: [0, 0, 0], duration: 120, end: 100),
    Row(
      name: "a beginning and an end that are hidden", samples: [.init(-40), .init(0), .init(40)],
      edits: "40 for 30", offsets: [0, 0, 0], duration: 120, end: 30),
    Row(
      name: "an end after all", samples: [.init(0), .init(40)], offsets: [0, 0], duration: 80,
      end: 500),
    Row(
      name: "an end before all", samples: [.init(100), .init(140)], offsets: [0, 0], duration: 80,
      end: 50),
  ]

  @Test(arguments: rows) func `it settles the times of a track`(row: Row) throws {
    var writer = try MovieWriter(tracks(1), to: ArraySink())
    writer.end = row.end.map { .milliseconds($0) }
    for (number, sample) in row.samples.enumerated() {
      try writer.add(sample.sample(number: number), to: 0)
    }
    try writer.finish()
    let file = try WrittenMovie(writer.sink.bytes)
    #expect(file.tree.boxes.map(\.type) == ["ftyp", "moov", "mdat"])
    let found = try file.samples()
    #expect(try file.edits() == row.edits)
    #expect(found.map(\.compositionOffset) == row.offsets)
    let first = row.samples[0].time
    #expect(found.map(\.decodeTime) == row.samples.map { $0.time - first })
    #expect(file.movie.tracks[0].duration == row.duration)
    for (number, sample) in found.enumerated() {
      let expected = try row.samples[number].sample(number: number).payload.bytes()
      #expect(file.content(of: sample) == expected)
    }
  }

  @Test func `it keeps tracks in step`() throws {
    var writer = try MovieWriter(tracks(3, timescales: [1000, 48000, 44100]), to: ArraySink())
    for number in 0..<50 {
      try writer.add(ShortSample(Int64(2000 + 40 * number)).sample(number: number), to: 0)
    }
    for number in 0..<90 {
      let sample = ShortSample(Int64(48000 * 5 / 2 + 1024 * number), size: 5).sample(number: number)
      try writer.add(sample, to: 1)
    }
    for number in 0..<90 {
      let sample = ShortSample(Int64(44100 * 2 - 1024 + 1024 * number), size: 7)
      try writer.add(sample.sample(number: number), to: 2)
    }
    try writer.finish()
    let file = try WrittenMovie(writer.sink.bytes)
    // The last track begins first, 1024 samples ahead; units are those of the finest track.
    let unit = Double(file.movie.header?.timescale ?? 0)
    #expect(unit == 48000)
    let delays = try file.movie.tracks.map { track -> Double in
      guard let edit = try track.edits().first, edit.mediaTime == -1 else { return 0 }
      return Double(edit.segmentDuration) / unit
    }
    let lead = 1024.0 / 44100
    #expect(zip(delays, [lead, 0.5 + lead, 0]).allSatisfy { abs($0 - $1) <= 1 / unit })
    // About half a second of a track, then another's.
    let order = try file.movie.tracks.indices
      .flatMap { track in try file.samples(track).map { (track, $0.offset) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
    let runs = order.reduce(into: [(Int, Int)]()) { runs, track in
      if runs.last?.0 == track { runs[runs.count - 1].1 += 1 } else { runs.append((track, 1)) }
    }
    #expect(runs.map(\.0) == [2, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1])
    #expect(runs.filter { $0.0 == 0 }.map(\.1) == [13, 13, 13, 11])
  }

  @Test func `it gives samples their entries`() throws {
    var described = tracks(1)
    described[0].sampleEntries.append(Node("hev1", VisualSampleEntry()))
    var writer = try MovieWriter(described, to: ArraySink())
    for (number, entry) in [0, 0, 1, 1, 1, 0].enumerated() {
      var sample = ShortSample(Int64(number * 40), sync: number % 2 == 0).sample(number: number)
      sample.entry = entry
      try writer.add(sample, to: 0)
    }
    try writer.finish()
    let found = try WrittenMovie(writer.sink.bytes).samples()
    #expect(found.map(\.descriptionIndex) == [1, 1, 2, 2, 2, 1])
    #expect(found.map(\.isSync) == [true, false, true, false, true, false])
  }

  @Test func `it leaves tracks without samples out`() throws {
    var writer = try MovieWriter(tracks(2), to: ArraySink())
    try writer.add(ShortSample(0).sample(number: 0), to: 1)
    try writer.finish()
    #expect(try WrittenMovie(writer.sink.bytes).movie.tracks.map(\.handler) == ["soun"])
  }

  /// A file of 10 hours has times beyond 32 bits in fine units.
  @Test func `it writes times beyond 32 bits`() throws {
    var writer = try MovieWriter(tracks(2, timescales: [1_000_000, 1000]), to: ArraySink())
    for number in 0..<10 {
      try writer.add(
        ShortSample(Int64(number) * 4_000_000_000, size: 1).sample(number: number), to: 0)
    }
    try writer.add(ShortSample(36_000_000, lasting: 10).sample(number: 0), to: 1)
    try writer.finish()
    let file = try WrittenMovie(writer.sink.bytes)
    #expect(file.movie.tracks[0].duration == 40_000_000_000)
    #expect(try file.edits(1) == "-1 for 36000000000, 0 for 10000")
    #expect(try file.samples().last?.decodeTime == 36_000_000_000)
  }

  @Test(arguments: [
    (ShortSample(40), ShortSample(0), "falls by 40"),
    (ShortSample(0), ShortSample(1 << 33), "sample_delta of 8589934592"),
    (ShortSample(0), ShortSample(1, 1 << 40), "sample_offset of"),
    (ShortSample(0), ShortSample(.max, 1), "decoding time is"),
  ])
  func `it refuses what no table holds`(first: ShortSample, second: ShortSample, message: String)
    throws
  {
    var writer = try MovieWriter(tracks(1), to: ArraySink())
    try writer.add(first.sample(number: 0), to: 0)
    do throws(SyntaxError) {
      try writer.add(second.sample(number: 1), to: 0)
      Issue.record("was taken")
    } catch {
      #expect(error.message.contains(message) && error.path == "track 1, sample 2")
    }
  }

  @Test func `it refuses a movie without samples`() throws {
    var writer = try MovieWriter(tracks(2), to: ArraySink())
    #expect(throws: SyntaxError.self) { try writer.finish() }
    #expect(throws: SyntaxError.self) {
      _ = try MovieWriter(tracks(1, timescales: [0]), to: ArraySink())
    }
  }
}
