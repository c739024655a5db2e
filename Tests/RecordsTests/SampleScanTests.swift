// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC
import ISOBMFF
import TestSupport
import Testing

struct SampleScanTests {
  /// A sample of a million bytes costs no more than its headers.
  @Test func `it reads headers only`() throws {
    let source = try Fixture.source("hvc1.mp4")
    var bytes = try source.bytes(in: 0..<source.count)
    // The track becomes one large picture at the end of the file.
    let picture: [UInt8] = [0x26, 0x01] + [UInt8](repeating: 0x55, count: 1_000_000)
    let start = bytes.count
    bytes += try LengthPrefixed.bytes(of: [picture])
    let tree = try pointed(
      BoxTree(reading: MemorySource(bytes)), to: start, size: bytes.count - start)
    let counting = CountedSource(MemorySource(bytes))
    let scan = try SampleScan(
      try #require(Movie(tree).tracks.first), entry: 1, lengthSize: 4, in: counting)
    #expect(scan.samples > 0)
    #expect(scan.types[.idrWRADL] != nil)
    #expect(counting.readBytes < 8192)
  }

  /// One sample in one chunk.
  private func pointed(_ tree: BoxTree, to offset: Int, size: Int) throws -> BoxTree {
    func walk(_ nodes: [Node]) throws -> [Node] {
      try nodes.map { node in
        var node = node
        switch node.box {
        case var box as SampleSizes:
          box.sampleSize = UInt32(size)
          box.sampleCount = 1
          box.entries = Table()
          node.box = box
        case var box as ChunkOffsets:
          box.entries = try Table(
            columns: [.init("chunk_offset", 32)], rows: [[Int64(offset)]])
          node.box = box
        default:
          if !node.children.isEmpty { node.children = try walk(node.children) }
        }
        return node
      }
    }
    return BoxTree(boxes: try walk(tree.boxes))
  }
}
