// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF
import TestSupport
import Testing

@testable import ApusContainers
@testable import ApusSamples

@Suite struct ManyTracksTests {
  /// Tracks of a format that is a fixture's, each with so many samples, of one size or of two in turn.
  private func movie(tracks count: Int, samples: Int, isUneven: Bool = false) throws -> [UInt8] {
    let source = try MovieSource(Fixture.source("hvc1.mp4"))
    var track = source.tracks[0]
    track.timescale = 1000
    var output = try MovieOutput([CodedTrack](repeating: track, count: count), to: ArraySink())
    // A NAL unit of four bytes with its length before it: a picture that can be begun with (IDR_W_RADL).
    let short = Extent([0, 0, 0, 4, 0x26, 0x01, 0xaf, 0x80])
    let long = Extent([0, 0, 0, 5, 0x26, 0x01, 0xaf, 0x78, 0x80])
    for number in 0..<samples {
      for index in 0..<count {
        let time = RationalTime(Int64(number * 40), per: 1000)
        var sample = CodedSample(
          track: index, decodeTime: time, duration: .milliseconds(40), isSync: true,
          payload: isUneven && number % 2 == 1 ? long : short)
        sample.number = number
        try output.add(.sample(sample))
      }
    }
    try output.finish()
    return output.sink.bytes
  }

  @Test func `it reads as much of each track, however many there are`() throws {
    let read = try [40, 400].map { count in
      let source = CountedSource(MemorySource(try movie(tracks: count, samples: 2)))
      var opened = try MovieSource(source)
      #expect(opened.tracks.count == count)
      var found = [Int](repeating: 0, count: count)
      var last = RationalTime(0, per: 1000)
      while case .sample(let sample)? = try opened.next() {
        #expect(!sample.decodeTime.isBefore(last))
        last = sample.decodeTime
        found[sample.track] += 1
      }
      #expect(found == [Int](repeating: 2, count: count))
      return source.readBytes
    }
    #expect(read[1] <= 11 * read[0])
  }

  @Test(
    arguments: [(1, false), (9, false), (3, true), (4, true), (5, true), (9, true)], [1, 2, 1000])
  func `it hands over what was kept of a track as the tables have it`(
    row: (samples: Int, isUneven: Bool), most: Int
  ) throws {
    let (samples, isUneven) = row
    let source = MemorySource(try movie(tracks: 1, samples: samples, isUneven: isUneven))
    let track = try #require(Movie(try BoxTree(reading: source)).tracks.first)
    var tables = track.samples()
    var expected: [TrackSample] = []
    while let sample = try tables.next() { expected.append(sample) }
    #expect(expected.count == samples)

    let survey = try MovieTrackSurvey(track, in: source)
    // Samples of one size lie in one run, of two sizes each is its own.
    #expect((survey.runs == nil) == (isUneven && samples > 4))
    var walk = SampleWalk(track, survey)
    var found: [TrackSample] = []
    while let run = try walk.nextRun(upTo: most) {
      #expect(1...most ~= run.count)
      for number in 0..<run.count { found.append(run.dropping(number).first) }
    }
    #expect(found == expected)
  }

  @Test func `it needs little for a track that was not begun`() {
    // A walk over tables takes two kilobytes, which only tracks that are being read may cost.
    #expect(MemoryLayout<SampleCursor>.size <= 128)
    #expect(MemoryLayout<SampleWalk>.size <= 160)
    #expect(MemoryLayout<Node>.stride <= 160)
  }
}
