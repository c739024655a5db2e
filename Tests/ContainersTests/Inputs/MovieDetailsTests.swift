// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

/// Expected values are those of `ffprobe -show_streams -show_frames -show_format -show_chapters`.
@Suite struct MovieDetailsTests {
  @Test(arguments: ["hdr10-boxes.mp4", "hdr10.mp4"])
  func `it reads light from the container or the stream`(file: String) throws {
    let picture = try MovieSource(Fixture.source(file)).tracks[0].picture
    #expect(
      picture.colour
        == ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false))
    #expect(picture.masteringDisplay == .ofHDR10)
    #expect(picture.contentLight == ContentLight(maximum: 1000, maximumAverage: 400))
    #expect(picture.fields == .progressive)
  }

  @Test func `it writes light into entries of its own`() throws {
    var source = try MovieSource(Fixture.source("hdr10.mp4"))
    let events = try source.rest()
    var tracks = source.tracks
    tracks[0].details = TrackDetails()
    var output = try MovieOutput(tracks, to: ArraySink())
    for event in events { try output.add(event) }
    try output.finish()
    let tree = try BoxTree(reading: MemorySource(output.sink.bytes))
    let entry = Movie(tree).tracks[0].sampleEntries[0].located
    let light: MasteringDisplayColourVolumeBox = try #require(entry.child("mdcv")?.box())
    #expect(light.primaries.map(\.x) == [13250, 7500, 34000])
    #expect(light.primaries.map(\.y) == [34500, 3000, 16000])
    #expect(light.whitePoint.x == 15635 && light.maxLuminance == 10_000_000)
    let level: ContentLightLevelBox = try #require(entry.child("clli")?.box())
    #expect(level.max == 1000 && level.maxPictureAverage == 400)
    let rate: BitRate = try #require(entry.child("btrt")?.box())
    var cursor = Movie(tree).tracks[0].samples()
    var largest = 0
    while let sample = try cursor.next() { largest = max(largest, sample.size) }
    #expect(rate.bufferSizeDB == UInt32(largest))
    #expect(rate.maxBitrate >= rate.averageBitrate && rate.averageBitrate > 0)
  }

  @Test func `it reads chapters`() throws {
    let source = try MovieSource(Fixture.source("chapters.mp4"))
    #expect(source.details.chapters.map(\.title) == ["One"])
    #expect(source.details.chapters[0].start.rounded(to: 1000) == 0)
    #expect(source.details.chapters[0].end?.rounded(to: 1000) == 200)
    #expect(source.tracks.map(\.kind) == [.video, .data])
    let references = source.tracks[0].details.references
    #expect(references.map(\.type) == ["chap"] && references.map(\.tracks) == [[1]])
  }

  @Test(
    arguments: [
      ("tags.m4v", ["title": "Apus", "genre": "Test", "track": "1/2"], 3_787_009_445),
      ("movie-keys.mov", ["com.example.key": "value"], nil),
    ] as [(String, [String: String], UInt64?)])
  func `it reads tags`(file: String, tags: [String: String], creation: UInt64?) throws {
    let details = try MovieSource(Fixture.source(file)).details
    let found = Dictionary(details.tags.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for (name, value) in tags { #expect(found[name] == value) }
    if let creation { #expect(details.creationTime == creation) }
  }

  @Test func `it writes tags and chapters that came from no movie`() throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    var details = MediaDetails()
    details.tags = [
      ("title", "Ein Titel"), ("UNHEARD-OF", "x"), ("ARTIST", "Jemand"), ("track", "3/12"),
      ("DISC", "one"), ("creation_time", "2024-01-01T00:00:00Z"),
    ]
    details.chapters = [
      Chapter(start: .milliseconds(0), title: "Eins"),
      Chapter(start: .milliseconds(100), title: String(repeating: "ü", count: 200)),
    ]
    let tracks = source.tracks.map { track in
      var track = track
      track.details = TrackDetails()
      return track
    }
    var output = try MovieOutput(tracks, details, to: ArraySink())
    for event in try source.rest() { try output.add(event) }
    try output.finish()
    let again = try MovieSource(MemorySource(output.sink.bytes)).details
    #expect(again.tags.map(\.name) == ["title", "UNHEARD-OF", "artist", "track", "DISC"])
    #expect(again.tags.map(\.value) == ["Ein Titel", "x", "Jemand", "3/12", "one"])
    #expect(again.chapters.map(\.title) == ["Eins", String(repeating: "ü", count: 127)])
    #expect(again.chapters[1].start.rounded(to: 1000) == 100)
  }

  /// What is whole of a file that ends anywhere, and nothing else.
  @Test(arguments: ["hvc1.mp4", "fragmented.mp4", "subtitles.mp4"])
  func `it salvages what is whole`(file: String) throws {
    let bytes = try Fixture.bytes(file)
    var whole = try MovieSource(MemorySource(bytes))
    let all = try whole.rest().count
    var most = 0
    for count in stride(from: 0, to: bytes.count, by: 61) {
      do {
        var source = try MovieSource(MemorySource(Array(bytes.prefix(count))), isSalvaging: true)
        let events = try source.rest()
        most = max(most, events.count)
        for case .sample(let sample) in events {
          #expect(sample.payload.range.upperBound <= count)
        }
        #expect(!source.warnings.isEmpty || events.count == all)
      } catch {
        #expect(MediaError(error).kind != .io)
      }
    }
    #expect(most > 0 && most <= all)
  }
}
