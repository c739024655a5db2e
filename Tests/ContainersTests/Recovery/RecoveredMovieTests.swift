// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import FLV
import HEVC
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

@testable import ApusContainers

@Suite struct RecoveredMovieTests {
  /// A fixture without its `moov`.
  private func broken(_ name: String) throws -> [UInt8] {
    let tree = try Fixture.tree(name)
    let moov = try #require(tree.boxes.first { $0.type == "moov" }?.extent)
    var bytes = try Fixture.bytes(name)
    bytes.removeSubrange(moov)
    return bytes
  }

  private func recovered(_ bytes: [UInt8], like name: String) throws -> RecoveredMovie {
    try RecoveredMovie(MemorySource(bytes), like: Fixture.source(name))
  }

  @Test(arguments: ["hvc1.mp4", "hvc1-10bit.mp4", "edit-list.mp4", "avc1.mp4", "hdr10.mp4"])
  func `it gives the samples and times of the whole movie`(_ name: String) throws {
    let movie = try recovered(try broken(name), like: name)
    #expect(movie.report.isComplete)
    var whole: any SampleSource & Sendable = try MovieSource(Fixture.source(name))
    var found = movie.input.source
    #expect(found.tracks.count == whole.tracks.count)
    for track in whole.tracks.indices {
      let (expected, samples) = (try whole.samples(of: track), try found.samples(of: track))
      #expect(samples.count == expected.count)
      for (sample, other) in zip(samples, expected) {
        #expect(sample.payload == other.payload)
        #expect(sample.presentationTime == other.presentationTime)
        #expect(sample.isSync == other.isSync)
      }
    }
  }

  @Test func `it finds the first samples wherever the file is cut`() throws {
    let bytes = try broken("hvc1.mp4")
    var last = 0
    for count in stride(from: 1, to: bytes.count, by: 29) {
      do {
        let movie = try recovered(Array(bytes[..<count]), like: "hvc1.mp4")
        let samples = movie.report.tracks.reduce(0) { $0 + $1.samples }
        #expect(samples >= last)
        last = samples
        let explained = count - movie.report.unexplained
        #expect(explained > 0 && movie.report.missing == bytes.count - count)
        #expect(!movie.report.isComplete)
      } catch let error as MediaError {
        #expect(last == 0 && [.nothing, .unsupported].contains(error.kind), "\(count): \(error)")
      }
    }
    #expect(last > 20)
  }

  @Test func `it reads files that describe their samples as far as they are whole`() throws {
    for (name, cut, junk) in [
      ("enhanced.flv", 0, 500), ("enhanced.flv", 100, 0), ("fragmented.mp4", 800, 0),
    ] {
      let whole = try Fixture.bytes(name)
      let middle = try name == "enhanced.flv" ? Self.tag(in: whole) : 0
      let bytes = whole[..<middle] + [UInt8](repeating: 0xa5, count: junk) + whole[middle...]
      let movie = try RecoveredMovie(MemorySource(Array(bytes.dropLast(cut))))
      #expect(!movie.report.isComplete)
      if junk > 0 {
        #expect(movie.report.gaps == [.init(range: middle..<middle + junk, isZero: false)])
      }
      let expected = try RecoveredMovie(Fixture.source(name)).report
      #expect(expected.isComplete)
      let some = movie.report.tracks.reduce(0) { $0 + $1.samples }
      let all = expected.tracks.reduce(0) { $0 + $1.samples }
      #expect(junk > 0 ? some == all : 0 < some && some < all)
    }
  }

  /// Returns the offset of the size before a tag in the middle of an FLV file.
  private static func tag(in bytes: [UInt8]) throws -> Int {
    var reader = try TagReader(MemorySource(bytes))
    while let tag = try reader.nextTag() {
      if tag.offset > bytes.count / 2 { return tag.offset - 4 }
    }
    return 0
  }

  @Test func `it reports bytes that belong to nothing`() throws {
    var bytes = try broken("hvc1.mp4")
    let junk = [UInt8](repeating: 0xa5, count: 500)
    let end = bytes.count
    bytes += junk
    let movie = try recovered(bytes, like: "hvc1.mp4")
    #expect(movie.report.gaps == [.init(range: end..<end + 500, isZero: false)])
    #expect(!movie.report.isComplete)
  }

  @Test func `it finds samples after bytes that look like a box by chance`() throws {
    var bytes = try broken("hvc1.mp4")
    let all = try recovered(bytes, like: "hvc1.mp4").report.tracks.map(\.samples)
    let tree = try BoxTree(reading: MemorySource(bytes))
    let start = try #require(tree.boxes.first { $0.type == "mdat" }?.start) + 8
    for type in ["moov", "moof", "mdat", "free"] {
      let size: [UInt8] = type == "free" ? [0, 0, 3, 0] : [0x7f, 0, 0, 0]
      let junk = [UInt8](repeating: 0xa5, count: 300) + size + Array(type.utf8)
      let more = junk + [UInt8](repeating: 0xa5, count: 200)
      bytes.insert(contentsOf: more, at: start)
      let report = try recovered(bytes, like: "hvc1.mp4").report
      #expect(report.tracks.map(\.samples) == all, "\(type)")
      #expect(report.gaps == [.init(range: start..<start + more.count, isZero: false)])
      bytes.removeSubrange(start..<start + more.count)
    }
  }

  @Test func `it refuses what is no broken movie`() throws {
    func failure(_ bytes: [UInt8]) -> MediaError? {
      do {
        _ = try recovered(bytes, like: "hvc1.mp4")
        return nil
      } catch {
        return MediaError(error)
      }
    }
    let whole = try #require(failure(try Fixture.bytes("hvc1.mp4")))
    #expect(whole.kind == .misuse && whole.detail.contains("has its moov; use remux"))
    #expect(failure([UInt8](repeating: 0x5a, count: 5000))?.kind == .nothing)
    #expect(failure([UInt8](repeating: 0, count: 5000))?.kind == .nothing)
    #expect(failure([])?.kind == .unsupported)
    #expect(failure(try Fixture.bytes("420.jpg"))?.kind == .unsupported)
    let other = try #require(failure(try broken("avc1.mp4")))
    #expect(other.kind == .nothing && other.detail.contains("same camera"))
  }

  @Test func `it finds video by its own parameter sets`() throws {
    let bytes = try broken("hvc1.mp4")
    let rate = try #require(FrameRate(25, 1))
    #expect(throws: MediaError.self) {
      // The sets of this movie are in its sample entry only.
      try RecoveredMovie(MemorySource(bytes), frameRate: rate)
    }
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    guard case .hevc(let record) = source.tracks[0].format else { return }
    let sets = try LengthPrefixed.bytes(of: record.parameterSets)
    let samples = try source.samples(of: 0)
    let stream = try samples.flatMap { try ($0.isSync ? sets : []) + $0.payload.bytes() }
    var movie = try RecoveredMovie(MemorySource(stream), frameRate: rate).input.source
    #expect(movie.tracks[0].width == source.tracks[0].width)
    let found = try movie.samples(of: 0)
    #expect(found.count == samples.count)
    #expect(
      found.map(\.presentationTime.value)
        == samples.map { $0.presentationTime.rounded(to: 25) })
  }
}
