// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import SampleSupport
import TestSupport
import Testing

@testable import ApusContainers

@Suite struct PictureFinderTests {
  @Test(arguments: [
    "hvc1.mp4", "hvc1-10bit.mp4", "hev1.mp4", "avc1.mp4", "slices.mp4", "hdr10.mp4",
  ])
  func `it finds the access units of a movie one after the other`(_ name: String) throws {
    var source = try MovieSource(Fixture.source(name))
    let track = try #require(source.tracks.firstIndex { $0.kind == .video })
    let made = try PictureFinder(
      source.tracks[track].format, mostUnitBytes: 1 << 22, limits: Limits())
    var finder = try #require(made)
    let samples = try source.samples(of: track)
    let bytes = try samples.flatMap { try $0.payload.bytes() }
    var window = SearchWindow(MemorySource(bytes))
    var place = 0
    for sample in samples {
      let picture = try #require(try finder.picture(at: place, in: &window))
      #expect(picture.range == place..<place + sample.payload.count)
      #expect(picture.isSync == sample.isSync)
      finder.accept(picture)
      place = picture.range.upperBound
    }
  }

  @Test func `it finds no access unit that is cut`() throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    let made = try PictureFinder(source.tracks[0].format, mostUnitBytes: 1 << 22, limits: Limits())
    let finder = try #require(made)
    let first = try #require(try source.samples(of: 0).first).payload.bytes()
    for count in first.indices {
      var window = SearchWindow(MemorySource(Array(first[..<count])))
      #expect(try finder.picture(at: 0, in: &window) == nil)
      if count >= 8 { #expect(try finder.isCut(at: 0, in: &window)) }
    }
  }
}
