// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

/// Movies of more than 4 GiB that nobody stores.
@Suite struct LargeMovieTests {
  /// The first bytes, and how many there are; those of sparse inputs are counted only.
  private struct HeadSink: ByteSink {
    var head: [UInt8] = []
    var count = 0

    mutating func append(_ byte: UInt8) {
      if count < 1 << 16 { head.append(byte) }
      count += 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
      for index in bytes.indices { append(bytes[index]) }
    }

    mutating func append(_ extent: Extent) throws(SyntaxError) {
      guard extent.source is SparseSource else {
        return try extent.forEachPiece { piece throws(SyntaxError) in append(piece) }
      }
      count += extent.count
    }
  }

  /// Zeros behind a head.
  private final class SparseSource: ByteSource {
    let head: [UInt8]
    let count: Int
    var resident: [UInt8]? { nil }

    init(_ head: [UInt8] = [], count: Int) {
      self.head = head
      self.count = count
    }

    func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) {
      for index in range { output.append(index < head.count ? head[index] : 0) }
    }
  }

  @Test(arguments: [
    (1 << 30, 3, "stco", 8), (1 << 31, 2, "co64", 16), (4_000_000_000, 3, "co64", 16),
  ])
  func `it grows its offsets`(size: Int, count: Int, type: String, header: Int) throws {
    let media = SparseSource(count: size * count)
    var writer = try MovieWriter(tracks(1), to: HeadSink())
    for index in 0..<count {
      let payload = Extent(media, index * size..<(index + 1) * size)
      try writer.add(NewSample(at: Int64(index) * 1000, payload), to: 0)
    }
    try writer.finish()
    let file = SparseSource(writer.sink.head, count: writer.sink.count)
    let tree = try BoxTree(reading: file)
    #expect(tree.findings.isEmpty)
    #expect(tree.boxes.map(\.type) == ["ftyp", "moov", "mdat"])
    let mdat = try #require(tree.boxes.last)
    #expect(mdat.header.count == header)
    #expect(mdat.extent?.upperBound == writer.sink.count)
    let movie = Movie(tree)
    #expect(movie.tracks[0].sampleTable?.child(FourCC(text: type) ?? FourCC()) != nil)
    var cursor = movie.tracks[0].samples()
    var next = mdat.start + header
    while let sample = try cursor.next() {
      #expect(sample.offset == next && sample.size == size)
      next += size
    }
    #expect(next == writer.sink.count)
  }

  @Test func `it refuses a sample beyond 32 bits`() throws {
    var writer = try MovieWriter(tracks(1), to: HeadSink())
    let payload = Extent(SparseSource(count: 1 << 33), 0..<1 << 33)
    #expect(throws: SyntaxError.self) {
      try writer.add(NewSample(at: 0, payload), to: 0)
    }
  }

  @Test func `it keeps the order of many samples`() throws {
    let media = Extent([UInt8](repeating: 1, count: 8))
    var writer = try MovieWriter(tracks(1, timescales: [60]), to: ArraySink())
    var time: Int64 = 0
    let numbers = 0..<10_000
    func size(_ number: Int) -> Int { 1 + number % 8 }
    func length(_ number: Int) -> Int64 { Int64(1 + number % 3) }
    for number in numbers {
      var sample = NewSample(at: time, media.prefix(size(number)))
      sample.duration = length(number)
      sample.isSync = number % 7 == 0
      try writer.add(sample, to: 0)
      time += length(number)
    }
    try writer.finish()
    let movie = Movie(try BoxTree(reading: MemorySource(writer.sink.bytes)))
    var cursor = movie.tracks[0].samples()
    for number in numbers {
      let sample = try #require(try cursor.next())
      #expect(sample.size == size(number) && sample.duration == length(number))
      #expect(sample.isSync == (number % 7 == 0))
    }
    #expect(try cursor.next() == nil)
  }

  @Test func `it takes many samples`() throws {
    let media = SparseSource(count: 1 << 40)
    var writer = try MovieWriter(tracks(1, timescales: [60]), to: HeadSink())
    for index in 0..<200_000 {
      let start = index * 5000
      var sample = NewSample(at: Int64(index), Extent(media, start..<start + 4000 + index % 7))
      sample.compositionOffset = Int64(index % 3)
      sample.isSync = index % 60 == 0
      try writer.add(sample, to: 0)
    }
    try writer.finish()
    #expect(writer.sink.count > 800_000_000)
  }
}
