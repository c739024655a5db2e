// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF
import Testing

@Suite struct SampleRunTests {
  /// Sound of four bytes a moment, in packets of so many moments, and what lies between them in the file.
  private func movie(_ packets: [(time: Int64, moments: Int)]) throws -> WrittenMovie {
    var track = tracks(1)[0]
    track.timescale = 100
    var writer = try MovieWriter([track], to: ArraySink(), chunkDuration: .milliseconds(100))
    var first: UInt8 = 0
    for packet in packets {
      var sample = NewSample(
        at: packet.time, Extent((0..<packet.moments * 4).map { _ in first }))
      sample.count = packet.moments
      sample.duration = Int64(packet.moments)
      try writer.add(sample, to: 0)
      first += 1
    }
    try writer.finish()
    return try WrittenMovie(writer.sink.bytes)
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `it takes together what tables cannot tell apart`(most: Int) throws {
    let movie = try movie([(0, 7), (7, 20), (27, 1), (28, 30)])
    let samples = try movie.samples()
    #expect(samples.count == 58)
    #expect(samples.map(\.decodeTime) == (0..<58).map(Int64.init))
    #expect(samples.allSatisfy { $0.size == 4 && $0.duration == 1 })
    var cursor = movie.movie.tracks[0].samples()
    var found: [TrackSample] = []
    var runs = 0
    while let run = try cursor.nextRun(upTo: most) {
      #expect(1...most ~= run.count)
      #expect(run.range.count == run.count * 4)
      for index in 0..<run.count { found.append(run.dropping(index).first) }
      runs += 1
    }
    #expect(found == samples)
    // Chunks of ten moments at least: 27 and 31.
    if most == 1000 { #expect(runs == 2) }
    #expect(try cursor.nextRun(upTo: most) == nil)
  }

  @Test func `it makes up for a gap with the last moment`() throws {
    let movie = try movie([(0, 3), (10, 2), (12, 1)])
    #expect(try movie.samples().map(\.decodeTime) == [0, 1, 2, 10, 11, 12])
    #expect(try movie.samples().map(\.duration) == [1, 1, 8, 1, 1, 1])
    #expect(try movie.samples().map { movie.content(of: $0).first } == [0, 0, 0, 1, 1, 2])
  }

  @Test func `it refuses moments that begin before those ahead of them`() {
    #expect(throws: SyntaxError.self) { try movie([(0, 30), (3, 2)]) }
  }

  @Test func `it ends where the file does not reach`() throws {
    let bytes = try movie([(0, 20)]).bytes
    let place = try #require(bytes.firstRange(of: Array("stsz".utf8))?.upperBound)
    // A constant size of 1 GiB, for 20 samples.
    var large = bytes
    large.replaceSubrange(place + 4..<place + 8, with: [0x40, 0, 0, 0])
    let movie = Movie(try BoxTree(reading: MemorySource(large)))
    var cursor = movie.tracks[0].samples()
    let run = try #require(try cursor.nextRun(upTo: 20))
    #expect(run.range.upperBound > bytes.count)
    #expect(run.count == 20)
  }
}
