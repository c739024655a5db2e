// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import struct ISOBMFF.TransformationMatrix

struct FramePlanTests {
  /// Frames, sides and formats as ffprobe counts and prints them.
  @Test(arguments: [
    ("hvc1.mp4", 10, "HEVC 64×48 420 8"), ("hev1.mp4", 10, "HEVC 64×48 420 8"),
    ("hvc1-10bit.mp4", 10, "HEVC 64×48 420 10"), ("avc1.mp4", 10, "H.264 64×48 420 8"),
    ("movie.mov", 10, "HEVC 64×48 420 8"), ("fragmented.mp4", 10, "HEVC 64×48 420 8"),
  ])
  func `it plans frames`(_ name: String, _ count: Int, _ format: String) throws {
    let file = PhotoFile(try Fixture.tree(name))
    #expect(try file.frames() == count)
    let plan = try file.plan(file.frame(count - 1))
    let source = try #require(plan.sources.first)
    let found = source.format
    #expect(
      "\(source.codec.name) \(found.width)×\(found.height) \(found.chroma.name) \(found.bitDepth)"
        == format)
    #expect(try source.loaded().samples.count == source.samples.count)
    #expect(try file.plan(file.primaryPicture()).sources[0].samples.count == 1)
    let error = #expect(throws: SyntaxError.self) { try file.frame(count) }
    #expect(error?.kind == .misuse)
  }

  @Test func `it bounds samples without bytes`() throws {
    let tree = try Fixture.tree("crashes/plan-samples-without-bytes")
    let error = #expect(throws: SyntaxError.self) { try PhotoFile(tree).frames() }
    #expect(error?.message.contains("samples, the limit extents is 1048576") == true)
    var cursor = try #require(Movie(tree).tracks.first).samples()
    #expect(throws: SyntaxError.self) { while try cursor.next() != nil {} }
  }

  /// Every frame begins at a sync sample and ends at its own, and no two frames are one.
  @Test func `it begins at sync samples`() throws {
    let file = PhotoFile(try Fixture.tree("hvc1.mp4"))
    let starts = try Set(
      (0..<10).map { try file.plan(file.frame($0)).sources[0].samples[0][0].range.lowerBound })
    let ends = try Set(
      (0..<10).map { try file.plan(file.frame($0)).sources[0].samples.last?[0].range.lowerBound })
    #expect(
      ends.count == 10 && starts.count < 10 && starts.isSubset(of: Set(ends.compactMap { $0 })))
  }

  /// What the matrices of 14496-12, 6.2.2 do with the two axes, by hand.
  @Test(
    arguments: [
      (1, 0, 0, 1, 1), (0, 1, -1, 0, 6), (-1, 0, 0, -1, 3), (0, -1, 1, 0, 8), (-1, 0, 0, 1, 2),
      (1, 0, 0, -1, 4), (0, 1, 1, 0, 5), (0, -1, -1, 0, 7), (1, 1, 0, 1, nil), (0, 0, 0, 0, nil),
    ] as [(Int32, Int32, Int32, Int32, Int?)])
  func `it turns frames`(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32, _ exif: Int?) throws {
    var tree = try Fixture.tree("hvc1.mp4")
    let movie = try #require(tree.boxes.firstIndex { $0.type == "moov" })
    let track = try #require(tree.boxes[movie].children.firstIndex { $0.type == "trak" })
    let header = try #require(
      tree.boxes[movie].children[track].children.firstIndex { $0.type == "tkhd" })
    var box = try #require(
      tree.boxes[movie].children[track].children[header].box as? TrackHeader)
    (box.matrix.a, box.matrix.b) = (a << 16, b << 16)
    (box.matrix.c, box.matrix.d) = (c << 16, d << 16)
    tree.boxes[movie].children[track].children[header].box = box
    let file = PhotoFile(try BoxTree(reading: MemorySource(try tree.bytes())))
    let plan = try file.plan(file.frame(0))
    #expect(plan.orientation.exif == exif ?? 1)
    #expect(plan.findings.map(\.rule) == (exif == nil ? ["matrix-left-out"] : []))
    #expect([plan.width, plan.height] == ((exif ?? 1) > 4 ? [48, 64] : [64, 48]))
  }
}
