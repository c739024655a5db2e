// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

/// Where data begin when fragments leave it open, by hand from ISO/IEC 14496-12, 8.8.7 and 8.8.8.
struct FragmentTests {
  @Test func `it goes on where the fragment before ended`() throws {
    let tree = try movie(fragments: [
      fragment(track: 1, flags: 0, runs: [run([10, 20], offset: 100), run([5])]),
      fragment(track: 2, flags: 0, runs: [run([7])]),
      fragment(track: 1, flags: 0x1, base: 5000, runs: [run([3])]),
      fragment(track: 1, flags: 0x20000, runs: [run([4], offset: 8)]),
    ])
    let moof = try #require(tree.boxes.first { $0.type == "moof" }?.extent?.lowerBound)
    #expect(try offsets(tree, 0) == [moof + 100, moof + 110, moof + 130, 5000, moof + 8])
    #expect(try offsets(tree, 1) == [moof + 135])
  }

  @Test func `it takes defaults from the track and the fragment`() throws {
    var header = TrackFragmentHeader()
    header.header.flags = 0x2_0018
    header.defaultSampleDuration = 30
    header.defaultSampleSize = 9
    var run = TrackRun()
    run.header.flags = 0x4
    run.sampleCount = 2
    run.firstSampleFlags.sampleIsNonSyncSample = false
    var time = TrackFragmentDecodeTime()
    time.baseMediaDecodeTime = 1 << 40
    let fragment = Node(
      "traf", container([Node("tfhd", header), Node("tfdt", time), Node("trun", run)]))
    let tree = try movie(fragments: [fragment])
    var cursor = Movie(tree).tracks[0].samples()
    let first = try #require(try cursor.next())
    let second = try #require(try cursor.next())
    #expect(first.isSync && !second.isSync)
    #expect(first.decodeTime == 1 << 40 && second.decodeTime == 1 << 40 + 30)
    #expect(second.size == 9 && second.offset == first.offset + 9)
    #expect(second.descriptionIndex == 3)
  }

  private func offsets(_ tree: BoxTree, _ track: Int) throws -> [Int] {
    var cursor = Movie(tree).tracks[track].samples()
    var found: [Int] = []
    while let sample = try cursor.next() { found.append(sample.offset) }
    return found
  }

  /// A movie with two empty tracks, written and read back.
  private func movie(fragments: [Node]) throws -> BoxTree {
    let tracks = (1...2).map { id in
      var header = TrackHeader()
      header.trackID = UInt32(id)
      return Node("trak", container([Node("tkhd", header)]))
    }
    let extends = (1...2).map { id in
      var box = TrackExtends()
      box.trackID = UInt32(id)
      box.defaultSampleDescriptionIndex = 3
      box.defaultSampleFlags.sampleIsNonSyncSample = true
      return Node("trex", box)
    }
    let tree = BoxTree(boxes: [
      Node("moov", container(tracks + [Node("mvex", container(extends))])),
      Node("moof", container([Node("mfhd", MovieFragmentHeader())] + fragments)),
    ])
    return try BoxTree(reading: MemorySource(try tree.bytes()))
  }

  private func fragment(track: UInt32, flags: UInt32, base: UInt64 = 0, runs: [Node]) -> Node {
    var header = TrackFragmentHeader()
    header.header.flags = flags
    header.trackID = track
    header.baseDataOffset = base
    return Node("traf", container([Node("tfhd", header)] + runs))
  }

  private func run(_ sizes: [Int64], offset: Int32? = nil) throws -> Node {
    var run = TrackRun()
    run.header.flags = offset == nil ? 0x200 : 0x201
    run.sampleCount = UInt32(sizes.count)
    run.dataOffset = offset ?? 0
    run.samples = try Table(columns: [.init("sample_size", 32)], rows: sizes.map { [$0] })
    return Node("trun", run)
  }

  private func container(_ boxes: [Node]) -> Container {
    var container = Container()
    container.boxes = boxes
    return container
  }
}
