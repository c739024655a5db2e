// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusMedia
import ApusSamples
import HEVC
import SampleSupport
import TestSupport
import Testing

@Suite struct AnnexBSourceTests {
  /// The stream of a movie, which has its pictures in the order of `hvc1.mp4`.
  private func stream(of file: String) throws -> [UInt8] {
    var source = try MovieSource(Fixture.source(file))
    var output = try AnnexBOutput(source.tracks, to: ArraySink())
    for event in try source.rest() { try output.add(event) }
    return output.sink.bytes
  }

  /// Presentation and decoding in frames, as ffprobe finds them in the movie.
  private static let times = "0,-2;3,-1;2,0;1,1;6,2;5,3;4,4;9,5;8,6;7,7"

  private func frames(_ samples: [CodedSample], _ rate: FrameRate) -> String {
    samples.map { sample in
      let unit = Int64(rate.denominator)
      return "\(sample.presentationTime.value / unit),\(sample.decodeTime.value / unit)"
    }.joined(separator: ";")
  }

  @Test(arguments: ["hvc1.mp4", "hev1-10bit.mp4"])
  func `it gives times of the order of pictures`(file: String) throws {
    var source = try AnnexBSource(MemorySource(stream(of: file)))
    #expect(source.warnings.isEmpty)
    #expect(source.frameRate == FrameRate(25, 1))
    let samples = try source.samples(of: 0)
    #expect(frames(samples, source.frameRate) == Self.times)
    #expect(samples.indices.filter { samples[$0].isSync } == [0, 4])
  }

  @Test(arguments: [1, 100, 65536])
  func `it gives the same from a pipe`(size: Int) throws {
    let pull = pieces(of: try stream(of: "hvc1.mp4"), size: size)
    var input = try MediaInput.open(growing: pull)
    let samples = try input.source.samples(of: 0)
    let rate = try #require(FrameRate(25, 1))
    #expect(frames(samples, rate) == Self.times)
  }

  @Test func `it keeps the bytes of the pictures`() throws {
    var movie = try MovieSource(Fixture.source("hvc1.mp4"))
    var bare = try AnnexBSource(MemorySource(stream(of: "hvc1.mp4")))
    let expected = try movie.samples(of: 0).map { try $0.payload.bytes() }
    let found = try bare.samples(of: 0).map { try $0.payload.bytes() }
    // The first picture takes the messages of the configuration with it.
    #expect(found.dropFirst() == expected.dropFirst())
    #expect(found[0].suffix(expected[0].count) == expected[0][...])
  }

  @Test func `it takes the rate that is given`() throws {
    let rate = try #require(FrameRate(30000, 1001))
    let source = try AnnexBSource(MemorySource(stream(of: "hvc1.mp4")), frameRate: rate)
    #expect(source.tracks[0].timescale == 30000)
  }

  @Test func `it leaves bare H.264 to libavformat`() throws {
    var movie = try MovieSource(Fixture.source("avc1.mp4"))
    var output = try AnnexBOutput(movie.tracks, to: ArraySink())
    for event in try movie.rest() { try output.add(event) }
    #expect(throws: (any Error).self) { try MediaInput.open(MemorySource(output.sink.bytes)) }
    var options = OpeningOptions()
    options.openers = [ForeignOpener()]
    var source = try MediaInput.open(MemorySource(output.sink.bytes), options: options).source
    guard case .avc = source.tracks[0].format else {
      Issue.record("it is no H.264")
      return
    }
    var count = 0
    while case .sample? = try source.next() { count += 1 }
    #expect(count == 10)
  }

  @Test func `it lives through damage`() throws {
    let bytes = try stream(of: "hvc1.mp4")
    var survived = 0
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] ^= 0xff
      do {
        var source = try AnnexBSource(MemorySource(damaged))
        for sample in try source.samples(of: 0) {
          #expect(sample.presentationTime.value >= sample.decodeTime.value)
        }
        survived += 1
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(survived > bytes.count / 12)
  }
}
