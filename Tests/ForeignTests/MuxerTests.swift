// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusMedia
import ApusSamples
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

/// What comes out is read by libavformat's own demuxers.
@Suite struct MuxerTests {
  private static func written(
    _ file: String, as target: RemuxTarget, _ tags: [TagChange] = []
  ) throws -> [UInt8] {
    var options = RemuxJob.Options(target)
    options.muxers = ForeignMuxerMaker()
    options.tags = tags
    var sink = ArraySink()
    let job = try RemuxJob(MediaInput.open(Fixture.source(file)), options: options)
    _ = try job.writeAndWait(to: &sink)
    return sink.bytes
  }

  private static func payloads(_ source: any SampleSource & Sendable) throws -> [[[UInt8]]] {
    var source = source
    var result = source.tracks.map { _ in [[UInt8]]() }
    while let event = try source.next() {
      if case .sample(let sample) = event {
        result[sample.track].append(try sample.payload.bytes())
      }
    }
    return result
  }

  @Test func `it keeps samples in Matroska`() throws {
    let movie = try MovieSource(Fixture.source("hvc1.mp4"))
    let bytes = try Self.written("hvc1.mp4", as: .mkv)
    let read = try ForeignSource(MemorySource(bytes))
    #expect(read.tracks.map(\.name) == movie.tracks.map(\.name))
    #expect(try Self.payloads(read) == Self.payloads(movie))
  }

  @Test(arguments: [RemuxTarget.mkv, .ts])
  func `it writes the same bytes again`(target: RemuxTarget) throws {
    let first = try Self.written("hvc1.mp4", as: target)
    #expect(try first == Self.written("hvc1.mp4", as: target))
  }

  @Test func `it keeps light in Matroska`() throws {
    let read = try ForeignSource(MemorySource(Self.written("hdr10.mp4", as: .mkv)))
    #expect(read.tracks[0].picture.masteringDisplay == .ofHDR10)
    #expect(
      read.tracks[0].picture.contentLight == ContentLight(maximum: 1000, maximumAverage: 400))
  }

  @Test func `it needs a muxer`() throws {
    let input = try MediaInput.open(Fixture.source("hvc1.mp4"))
    #expect(throws: MediaError.self) { try RemuxJob(input, options: RemuxJob.Options(.ts)) }
  }

  @Test(arguments: [
    ([TagChange("title", "New")], ["title": "New"]),
    ([TagChange("Title", "New"), TagChange("mood", "calm")], ["title": "New", "mood": "calm"]),
    ([TagChange("title", "New"), TagChange("title", "")], [:]),
  ])
  func `it changes tags`(changes: [TagChange], expected: [String: String]) throws {
    let bytes = try Self.written("hvc1.mp4", as: .mp4, changes)
    let known = Set(changes.map { $0.name.lowercased() })
    let tags = try MovieSource(MemorySource(bytes)).details.tags.map {
      ($0.name.lowercased(), $0.value)
    }
    let found = Dictionary(tags, uniquingKeysWith: { first, _ in first })
    #expect(found.filter { known.contains($0.key) } == expected)
  }

  @Test(arguments: [(RemuxTarget.flv, "duration"), (.ts, "artist"), (.hevc, "title")])
  func `it refuses tags without a place`(target: RemuxTarget, name: String) {
    #expect(throws: MediaError.self) {
      try Self.written("hvc1.mp4", as: target, [TagChange(name, "Something")])
    }
  }
}
