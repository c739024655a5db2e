// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusTranscode
import TestSupport
import Testing

@Suite struct PlaybackMeasureTests {
  private func measures(_ source: any ByteSource) throws -> [PlaybackMeasure] {
    try PlaybackMeasure.all(of: try MediaInput.open(source))
  }

  @Test(arguments: ["hvc1.mp4", "avc1.mp4"])
  func `it decodes the first picture of every track`(_ name: String) throws {
    let measures = try measures(Fixture.source(name))
    #expect(measures.map(\.isDecodable) == measures.map { _ in .yes })
    #expect(measures.allSatisfy { $0.decoder.contains("libavcodec") })
  }

  @Test
  func `it calls what is too short unmeasured`() throws {
    // Ten pictures of 25 a second.
    let measure = try #require(try measures(Fixture.source("hvc1.mp4")).first)
    #expect(measure.isRealTime == .unmeasured)
    #expect(measure.reason.contains("too short"))
  }

  @Test
  func `it says that damage cannot be decoded, and why`() throws {
    let source = try Fixture.source("hvc1.mp4")
    var bytes = try source.bytes(in: 0..<source.count)
    let start = try #require(
      bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("mdat".utf8) })
    let size = bytes[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    for index in start + 12..<start - 4 + size { bytes[index] = 0xff }
    let measure = try #require(try measures(MemorySource(bytes)).first)
    #expect(measure.isDecodable == .no)
    #expect(measure.isRealTime == .unmeasured)
    #expect(!measure.reason.isEmpty)
  }

  @Test
  func `it leaves tracks of neither pictures nor sound unmeasured`() throws {
    let measures = try measures(Fixture.source("movie.mov"))
    let others = measures.filter { $0.decoder.isEmpty }
    #expect(!others.isEmpty)
    #expect(others.allSatisfy { $0.isDecodable == .unmeasured && $0.isRealTime == .unmeasured })
  }
}
