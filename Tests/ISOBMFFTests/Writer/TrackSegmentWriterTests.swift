// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF
import Testing

@Suite struct TrackSegmentWriterTests {
  /// Groups of samples as fragments, one segment of all.
  private func written(
    _ groups: [[ShortSample]], from origin: Int64 = 0, isFile: Bool = true
  ) throws -> (WrittenMovie, WrittenFragment) {
    var writer = try TrackSegmentWriter(
      tracks(1)[0], to: ArraySink(), origin: .milliseconds(origin))
    var number = 0
    for (place, group) in groups.enumerated() {
      for sample in group {
        try writer.add(sample.sample(number: number))
        number += 1
        // The first sample of a fragment ends the one before.
        if place > 0, sample.time == group[0].time {
          if place == 1 { try writer.writeHeader() }
          try writer.cut()
        }
      }
    }
    try writer.close()
    if groups.count == 1 { try writer.writeHeader() }
    try writer.cut()
    let segment = try #require(try writer.writeSegment(isFile: isFile))
    return (try WrittenMovie(writer.sink.bytes), segment)
  }

  @Test func `it keeps presentation times by offsets below 0`() throws {
    let reordered: [ShortSample] = [
      .init(920, 80), .init(960, 160, sync: false), .init(1000, 40, sync: false),
      .init(1040, 40, sync: false, lasting: 40),
    ]
    let (file, segment) = try written([reordered], from: 1000)
    #expect(try file.edits().isEmpty)
    let found = try file.samples()
    #expect(found.map(\.decodeTime) == [0, 40, 80, 120])
    #expect(found.map(\.compositionTime) == [0, 120, 40, 80])
    #expect(segment.start == .milliseconds(0) && segment.end == .milliseconds(160))
    #expect(segment.samples == 4 && segment.startsWithSync && !segment.startsWithLeading)
    let type = try #require(file.tree.boxes.first?.box as? FileType)
    #expect(type.compatibleBrands == ["iso6", "cmfc", "cmf2"])
    #expect(file.tree.boxes.map(\.type) == ["ftyp", "moov", "styp", "moof", "mdat"])
  }

  @Test func `it hides what is shown before the beginning`() throws {
    let (file, segment) = try written([[.init(-40), .init(0), .init(40, lasting: 40)]])
    #expect(try file.edits() == "40 for 0")
    #expect(try file.samples().map(\.compositionTime) == [0, 40, 80])
    #expect(segment.start == .milliseconds(0) && segment.end == .milliseconds(80))
    let type = try #require(file.tree.boxes.first?.box as? FileType)
    #expect(type.compatibleBrands == ["iso6", "cmfc"])
  }

  @Test func `it begins later where the track does`() throws {
    let (file, segment) = try written([[.init(1500), .init(1540, lasting: 40)]], from: 1000)
    #expect(try file.samples().map(\.decodeTime) == [500, 540])
    #expect(segment.start == .milliseconds(500))
  }

  @Test func `it indexes segments of several fragments`() throws {
    let (file, segment) = try written([
      [.init(0), .init(40, sync: false)],
      [.init(80, 40), .init(120, -40, sync: false, lasting: 40)],
    ])
    let types = file.tree.boxes.map(\.type)
    #expect(types == ["ftyp", "moov", "styp", "sidx", "moof", "mdat", "moof", "mdat"])
    let boxes = file.tree.boxes
    let index = try #require(boxes[3].box as? SegmentIndex)
    let sizes = try [4, 6].map { Int64(try boxes[$0].size() + boxes[$0 + 1].size()) }
    #expect(try index.references.row(0) == [0, sizes[0], 80, 1, 1, 0])
    // What is shown before the key frame that it follows may refer to the fragment before (SAP type 3).
    #expect(try index.references.row(1) == [0, sizes[1], 80, 1, 3, 0])
    #expect(index.timescale == 1000 && index.earliestPresentationTime == 0)
    #expect(
      segment.size == file.bytes.count - boxes[0..<2].reduce(0) { $0 + ((try? $1.size()) ?? 0) })
  }

  @Test func `it writes parts of a segment that are the same fragments`() throws {
    var writer = try TrackSegmentWriter(tracks(1)[0], to: ArraySink(), origin: .milliseconds(0))
    var parts: [ArraySink] = []
    var lengths: [Int64] = []
    func endPart() throws {
      var sink = ArraySink()
      let part = try #require(try writer.writePart(to: &sink))
      parts.append(sink)
      lengths.append(part.length.value)
      #expect(part.hasSync == (parts.count != 2) && part.size == sink.count)
    }
    let samples: [ShortSample] = [
      .init(0), .init(40, sync: false), .init(80, sync: false), .init(120, sync: false),
      .init(200, sync: false), .init(240), .init(280, sync: false, lasting: 40),
    ]
    for (number, sample) in samples.enumerated() {
      try writer.add(sample.sample(number: number))
      if number == 1 { try writer.writeHeader() }
      // A key frame alone, and two fragments in the first part.
      if number == 1 || number == 3 { try writer.cut() }
      if number == 3 { try endPart() }
      if number == 5 {
        // The last sample that is over stays for the next part.
        try writer.cut(keepsLast: true)
        try endPart()
        var sink = ArraySink()
        #expect(try writer.writePart(to: &sink) == nil)
        try writer.cut(keepsLast: true)
        #expect(try writer.writePart(to: &sink) == nil && sink.count == 0)
      }
    }
    try writer.close()
    try writer.cut()
    try endPart()
    #expect(lengths == [120, 80, 120])
    let start = writer.sink.count
    let segment = try #require(try writer.writeSegment(isFile: false))
    #expect(segment.length.value == 320 && segment.samples == 7 && segment.hasSync)
    #expect(Array(writer.sink.bytes[start...]) == parts.flatMap(\.bytes))
  }

  @Test(arguments: [1, 2]) func `it fills the room of an index`(used: Int) throws {
    var writer = try TrackSegmentWriter(tracks(1)[0], to: ArraySink(), origin: .milliseconds(0))
    try writer.add(ShortSample(0, lasting: 40).sample(number: 0))
    try writer.close()
    try writer.writeHeader()
    let header = writer.sink.count
    try writer.reserveIndex(of: 2)
    let start = writer.sink.count
    try writer.cut()
    let segment = try #require(try writer.writeSegment(isFile: false))
    let room = try writer.index(
      of: Array(repeating: segment, count: used), filling: start - header)
    #expect(room.count == start - header)
    let file = try WrittenMovie(
      Array(writer.sink.bytes[..<header]) + room + Array(writer.sink.bytes[start...]))
    let index = try #require(file.tree.boxes[2].box as? SegmentIndex)
    #expect(index.references.count == used)
    #expect(Int(index.firstOffset) == (used == 1 ? 12 : 0))
    #expect(throws: SyntaxError.self) {
      try writer.index(of: [segment, segment, segment], filling: 60)
    }
  }

  @Test func `it refuses times that fall`() throws {
    #expect(throws: SyntaxError.self) { _ = try written([[.init(40), .init(0)]]) }
  }
}
