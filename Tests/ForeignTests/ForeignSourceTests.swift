// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusMedia
import ApusSamples
import SampleSupport
import TestSupport
import Testing

@Suite struct ForeignSourceTests {
  private static let foreign = {
    var options = OpeningOptions()
    options.openers = [ForeignOpener()]
    return options
  }()

  /// FFmpeg copied the samples from one to the other.
  @Test(arguments: [0, 1])
  func `it gives the samples of the movie that it was made of`(track: Int) throws {
    var movie = try MovieSource(Fixture.source("hvc1.mp4"))
    var foreign = try ForeignSource(Fixture.source("hevc.mkv"))
    let expected = try movie.samples(of: track)
    let found = try foreign.samples(of: track)
    #expect(try found.map { try $0.payload.bytes() } == expected.map { try $0.payload.bytes() })
    #expect(found.map(\.isSync) == expected.map(\.isSync))
    for (left, right) in zip(expected, found) {
      let apart = [
        (left.presentationTime, right.presentationTime), (left.decodeTime, right.decodeTime),
      ].map { ($1.rounded(to: 100_000) ?? 1 << 40) - ($0.rounded(to: 100_000) ?? 0) }
      // FFmpeg begins with the 1024 samples of sound that stand before the first moment; Matroska has milliseconds.
      #expect(apart.allSatisfy { ($0 - 2322).magnitude <= 100 }, "\(apart)")
    }
    #expect(foreign.repairs.isEmpty)
  }

  @Test func `it says what its tracks are`() throws {
    let source = try ForeignSource(Fixture.source("hevc.mkv"))
    #expect(source.tracks.map(\.kind) == [.video, .audio])
    #expect(source.tracks.map(\.language) == ["und", "deu"])
    #expect(source.tracks.map(\.timescale) == [1000, 44100])
    #expect(source.tracks.map(\.details.codec) == ["hevc", "aac"])
    #expect((source.tracks[0].width, source.tracks[0].height) == (64, 48))
    #expect(source.details.tags.contains { $0 == ("title", "Pattern") })
    #expect(source.warnings.isEmpty)
  }

  /// A source is a value.
  @Test func `it goes on by itself in a copy`() throws {
    var source = try ForeignSource(Fixture.source("hevc.mkv"))
    let whole = try source.rest().count
    var first = try ForeignSource(Fixture.source("hevc.mkv"))
    for _ in 0..<5 { _ = try first.next() }
    var second = first
    #expect(try second.rest().count == whole - 5)
    #expect(try first.rest().count == whole - 5)
  }

  @Test func `it is opened by its contents`() throws {
    let input = try MediaInput.open(Fixture.source("hevc.mkv"), options: Self.foreign)
    #expect(input.kind == .matroska)
    #expect(input.source.tracks.count == 2)
  }

  @Test func `it says why it is not`() throws {
    let source = MemorySource(Array("no container at all".utf8))
    let error = #expect(throws: MediaError.self) {
      try MediaInput.open(source, options: Self.foreign)
    }
    #expect(error?.subject == .input)
  }
}
