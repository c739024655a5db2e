// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import HEVC
import SampleSupport
import TestSupport
import Testing

/// What `ffprobe -show_entries packet=pts,dts,size,flags` prints for a track.
struct MovieRow: Sendable, CustomTestStringConvertible {
  var file: String
  var track: Int
  var timescale: UInt32
  var samples: String

  var testDescription: String { "\(file) track \(track)" }
}

private let rows: [MovieRow] = [
  MovieRow(
    file: "hvc1.mp4", track: 0, timescale: 12800,
    samples: "0,-1024,768,K;1536,-512,46,_;1024,0,17,_;512,512,16,_;3072,1024,749,K;2560,1536,16,_;"
      + "2048,2048,16,_;4608,2560,26,_;4096,3072,15,_;3584,3584,16,_"),
  MovieRow(
    file: "hvc1.mp4", track: 1, timescale: 44100,
    samples: "-1024,-1024,133,K;0,0,161,K;1024,1024,61,K;2048,2048,70,K;3072,3072,78,K;"
      + "4096,4096,75,K;5120,5120,72,K;6144,6144,112,K;7168,7168,84,K;8192,8192,89,K;9216,9216,93,K;"
      + "10240,10240,115,K;11264,11264,84,K;12288,12288,104,K;13312,13312,83,K;14336,14336,102,K;"
      + "15360,15360,66,K;16384,16384,131,K;17408,17408,5,K"),
  MovieRow(
    file: "fragmented.mp4", track: 0, timescale: 12800,
    samples: "1024,0,768,K;2560,512,46,_;2048,1024,17,_;1536,1536,16,_;4096,2048,749,K;"
      + "3584,2560,16,_;3072,3072,16,_;5632,3584,26,_;5120,4096,15,_;4608,4608,16,_"),
  MovieRow(
    file: "hev1-10bit.mp4", track: 0, timescale: 12800,
    samples: "0,-1024,823,K;1536,-512,61,_;1024,0,19,_;512,512,16,_;3072,1024,827,K;2560,1536,16,_;"
      + "2048,2048,16,_;4608,2560,17,_;4096,3072,15,_;3584,3584,16,_"),
  MovieRow(
    file: "movie.mov", track: 0, timescale: 12800,
    samples: "0,-1024,768,K;1536,-512,46,_;1024,0,17,_;512,512,16,_;3072,1024,749,K;2560,1536,16,_;"
      + "2048,2048,16,_;4608,2560,26,_;4096,3072,15,_;3584,3584,16,_"),
]

@Suite struct MovieSourceTests {
  @Test(arguments: rows)
  func `it gives the times that FFmpeg finds`(row: MovieRow) throws {
    var source = try MovieSource(Fixture.source(row.file))
    #expect(source.tracks[row.track].timescale == row.timescale)
    let found = try source.samples(of: row.track)
    #expect(found.map { SampleRow($0).description } == SampleRow.rows(row.samples))
  }

  @Test func `it interleaves by decoding time`() throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    var last = -Double.infinity
    for event in try source.rest() {
      guard case .sample(let sample) = event else { continue }
      let time = Double(sample.decodeTime.value) / Double(sample.decodeTime.timescale)
      #expect(time >= last)
      last = time
    }
  }

  @Test func `it says what the tracks are`() throws {
    let source = try MovieSource(Fixture.source("hvc1.mp4"))
    #expect(source.tracks.map(\.name) == ["HEVC video", "AAC audio"])
    #expect(source.tracks[0].width == 64 && source.tracks[0].height == 48)
    #expect(source.tracks[1].sampleRate == 44100 && source.tracks[1].channels == 1)
    guard case .aac(let config) = source.tracks[1].format else {
      Issue.record("no AAC")
      return
    }
    // Low complexity, 44.1 kHz, one channel: 00010 0100 0001 000, then the end of FFmpeg's extension.
    #expect(config.prefix(2) == [0x12, 0x08])
  }

  @Test(arguments: [("cenc.mp4", "encrypted"), ("still.avci", "moov")])
  func `it refuses what cannot be passed on`(file: String, word: String) throws {
    let bytes = try Fixture.source(file)
    #expect {
      try MovieSource(bytes)
    } throws: {
      "\($0)".contains(word)
    }
  }

  @Test func `it refuses samples beyond the end`() throws {
    let bytes = try Fixture.bytes("hvc1.mp4")
    var places = 0
    for count in stride(from: 0, to: bytes.count, by: 97) {
      do {
        var source = try MovieSource(MemorySource(Array(bytes.prefix(count))))
        // What is left of the file may hold all samples of a track, but never half of one.
        for event in try source.rest() {
          if case .sample(let sample) = event { #expect(sample.payload.range.upperBound <= count) }
        }
      } catch {
        places += 1
      }
    }
    #expect(places > 40)
  }
}
