// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

@Suite struct SampleGroupingTests {
  private func table(_ rows: [[Int64]]) throws -> Table {
    try Table(
      columns: [.init("sample_count", 32), .init("group_description_index", 32)], rows: rows)
  }

  /// Samples are counted from 0; groups of those that are kept are those that they had.
  @Test(
    arguments: [
      ([0..<10], [3, 0, 2], "3x1 4x0 2x2"),
      ([0..<3], [3, 0, 2], "3x1"),
      ([2..<8], [3, 0, 2], "1x1 4x0 1x2"),
      ([0..<1, 7..<12], [3, 0, 2], "1x1 2x2"),
      ([3..<7], [3, 0, 2], ""),
    ] as [([Range<Int>], [Int], String)])
  func `it keeps the groups of what is kept`(numbers: [Range<Int>], _: [Int], expected: String)
    throws
  {
    var tracks = tracks(1)
    var grouping = SampleGrouping("roll")
    grouping.description = SampleGroupDescription()
    grouping.runs = [
      .init(count: 3, group: 1), .init(count: 4, group: 0), .init(count: 2, group: 2),
    ]
    tracks[0].groupings = [grouping]
    var writer = try MovieWriter(tracks, to: ArraySink())
    for (place, number) in numbers.joined().enumerated() {
      var sample = ShortSample(Int64(place) * 40, lasting: 40).sample(number: number)
      sample.number = number
      try writer.add(sample, to: 0)
    }
    try writer.finish()
    let written = try WrittenMovie(writer.sink.bytes)
    let found = try written.movie.tracks[0].groupings(of: numbers.joined().count)
    let words = found.first?.runs.map { "\($0.count)x\($0.group)" } ?? []
    #expect(words.joined(separator: " ") == expected)
  }

  /// In fragments every run has its own box, and what a fragment describes itself counts from 0x10001 on: 8.9.4.
  @Test func `it joins the groups of fragments`() throws {
    var tracks = tracks(1)
    var grouping = SampleGrouping("sync")
    grouping.description = SampleGroupDescription()
    grouping.description?.groupingType = "sync"
    grouping.runs = [
      .init(count: 2, group: 1), .init(count: 1, group: 0), .init(count: 3, group: 2),
    ]
    tracks[0].groupings = [grouping]
    var writer = try FragmentWriter(tracks, to: ArraySink())
    for number in 0..<6 {
      var sample = ShortSample(Int64(number) * 40, lasting: 40).sample(number: number)
      sample.number = number
      try writer.add(sample, to: 0)
      if number % 2 == 1 { try writer.cut() }
    }
    try writer.finish()
    let written = try WrittenMovie(writer.sink.bytes)
    let found = try written.movie.tracks[0].groupings(of: 6)
    #expect(found.map(\.type) == ["sync"])
    #expect(found[0].runs == grouping.runs)
  }

  @Test func `it reads compact groups`() throws {
    // csgp, version 0, one pattern 1 2 for five samples, in 8 bits each: flags 0b010101.
    let body: [UInt8] =
      [0, 0, 0, 0x15] + Array("roll".utf8) + [0, 0, 0, 1, 2, 5, 1, 2]
    let box: [UInt8] = [0, 0, 0, UInt8(body.count + 8)] + Array("csgp".utf8) + body
    var track = tracks(1)[0]
    track.groupings = []
    var writer = try MovieWriter([track], to: ArraySink())
    for number in 0..<5 {
      try writer.add(ShortSample(Int64(number) * 40, lasting: 40).sample(number: number), to: 0)
    }
    try writer.finish()
    var tree = try BoxTree(reading: MemorySource(writer.sink.bytes))
    let node = try #require(try BoxTree(reading: MemorySource(box)).boxes.first)
    let moov = try #require(tree.boxes.firstIndex { $0.type == "moov" })
    tree.boxes[moov].insert(node, below: ["trak", "mdia", "minf", "stbl"])
    let movie = Movie(try BoxTree(reading: MemorySource(try tree.bytes())))
    let found = try movie.tracks[0].groupings(of: 5)
    #expect(found.map(\.runs) == [[1, 2, 1, 2, 1].map { .init(count: 1, group: $0) }])
  }
}

extension Node {
  /// At the end of the box at the way of types.
  fileprivate mutating func insert(_ node: Node, below way: ArraySlice<FourCC>) {
    guard let first = way.first, let place = children.firstIndex(where: { $0.type == first }) else {
      children.append(node)
      return
    }
    children[place].insert(node, below: way.dropFirst())
  }

  fileprivate mutating func insert(_ node: Node, below way: [FourCC]) {
    insert(node, below: way[...])
  }
}
