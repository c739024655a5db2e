// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

/// Against `ffprobe -show_streams` (FFmpeg 5.1.8) and the commands that made the fixtures.
struct TrackTests {
  @Test func `it says what a track is`() throws {
    let movie = Movie(try Fixture.tree("hvc1.mp4"))
    #expect(movie.header?.timescale == 1000)
    #expect(!movie.isFragmented)
    #expect(movie.tracks.map(\.id) == [1, 2])
    #expect(movie.tracks.map(\.path) == ["moov/trak", "moov/trak[1]"])
    #expect(movie.tracks.map(\.handler) == ["vide", "soun"])
    #expect(movie.tracks.map(\.timescale) == [12800, 44100])
    #expect(movie.tracks.map(\.duration) == [5120, 18664])
    #expect(movie.tracks.map(\.language) == ["und", "und"])
    #expect(movie.tracks.flatMap(\.sampleEntries).map(\.type) == ["hvc1", "mp4a"])
    #expect(movie.tracks[0].sampleEntries[0].path == "moov/trak/mdia/minf/stbl/stsd/hvc1")
    #expect(movie.tracks[0].sampleEntries.map(\.isExternal) == [false])
  }

  @Test func `it keeps edits as they are`() throws {
    let edits = try Movie(try Fixture.tree("edit-list.mp4")).tracks[0].edits()
    #expect(edits.map(\.mediaTime) == [1024])
    #expect(edits.map(\.segmentDuration) == [600])
  }

  @Test func `it sees through protection`() throws {
    let entry = try #require(Movie(try Fixture.tree("cenc.mp4")).tracks.first?.sampleEntries.first)
    #expect(entry.type == "encv")
    #expect(entry.codingType == "avc1")
  }

  @Test func `it knows fragmented movies`() throws {
    #expect(Movie(try Fixture.tree("fragmented.mp4")).isFragmented)
  }

  @Test func `it has no tracks without a movie`() throws {
    #expect(Movie(try Fixture.tree("grid.heic")).tracks.isEmpty)
  }
}
