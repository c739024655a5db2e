// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

/// Offsets that no small file has. Expected places are sums of box sizes.
struct OffsetTests {
  /// Zeros, however many, after some bytes.
  private final class Hole: ByteSource {
    let head: [UInt8]
    let count: Int
    init(_ head: [UInt8], count: Int) {
      self.head = head
      self.count = count
    }
    var resident: [UInt8]? { nil }
    func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
      for offset in range { output.append(offset < head.count ? head[offset] : 0) }
    }
  }

  private static let free = Extent([0, 0, 0, 16] + Array("free12345678".utf8))

  /// A movie whose media data of `size` bytes follow; `moov` holds `boxes` in its sample table.
  private func movie(_ boxes: [Node], media size: Int) throws -> any ByteSource {
    var nodes = [Node("stbl", Container())]
    nodes[0].children = boxes
    for type in ["minf", "mdia", "trak", "moov"] as [FourCC] {
      var outer = Node(type, Container())
      outer.children = nodes
      nodes = [outer]
    }
    var writer = SyntaxWriter(ArraySink())
    try nodes[0].write(to: &writer)
    var head = writer.sink.bytes
    head += [0, 0, 0, 1] + Array("mdat".utf8)
    head += (0..<8).map { UInt8(truncatingIfNeeded: (size + 16) >> (56 - 8 * $0)) }
    return Hole(head, count: head.count + size)
  }

  private func edited(_ source: any ByteSource, insertingInto path: String) throws -> BoxTree {
    var editor = BoxEditor(try BoxTree(reading: source), of: source)
    let place = try #require(BoxPath(path))
    try editor.insert(Self.free, at: .before(place))
    return try editor.finished().tree
  }

  private func chunks(_ rows: [Int64]) throws -> Node {
    var box = ChunkOffsets()
    box.entries = try Table(columns: [.init("chunk_offset", 32)], rows: rows.map { [$0] })
    return Node("stco", box)
  }

  /// 16 bytes are put in and each offset grows by 4, which pushes the last beyond 32 bits.
  @Test func `it widens chunk offsets`() throws {
    let last = Int64(UInt32.max) - 10
    let source = try movie([chunks([1000, last])], media: 5 << 30)
    let tree = try edited(source, insertingInto: "moov")
    let path = try #require(BoxPath("moov/trak/mdia/minf/stbl/co64"))
    let box = try #require(tree.nodes(at: path).first?.node.box as? LargeChunkOffsets)
    #expect(try box.entries.row(0) == [Int64(1000) + 16 + 8])
    #expect(try box.entries.row(1) == [last + 16 + 8])
    let size = try tree.boxes.reduce(0) { try $0 + $1.size() }
    #expect(size == source.count + 16 + 8)
  }

  @Test func `it keeps chunk offsets that just fit`() throws {
    let last = Int64(UInt32.max) - 16
    let tree = try edited(try movie([chunks([1000, last])], media: 5 << 30), insertingInto: "moov")
    let path = try #require(BoxPath("moov/trak/mdia/minf/stbl/stco"))
    let box = try #require(tree.nodes(at: path).first?.node.box as? ChunkOffsets)
    #expect(try box.entries.row(1) == [Int64(UInt32.max)])
  }

  /// A table larger than the pieces in which it is rewritten.
  @Test func `it rewrites tables of any size`() throws {
    let count = 500_000
    var box = ChunkOffsets()
    box.entries = Table(
      columns: [.init("chunk_offset", 32)], count: count,
      extent: Extent(Hole([], count: count * 4), 0..<count * 4))
    var bytes = [UInt8](repeating: 0, count: 16)
    bytes.replaceSubrange(0..<8, with: [0, 0, 0, 16] + Array("ftyp".utf8))
    var writer = SyntaxWriter(ArraySink())
    try Node("stco", box).write(to: &writer)
    let source = MemorySource(bytes + writer.sink.bytes)
    let tree = try edited(source, insertingInto: "ftyp")
    let table = try #require((tree.boxes.last?.box as? ChunkOffsets)?.entries)
    var right = 0
    try table.scan32 { if $0 == 16 { right += 1 } }
    #expect(right == count)
  }

  @Test(
    arguments: [
      // offset_size, base_offset_size, base, offset; what they become when 5 GiB come before.
      (4, 0, 0, 100, 8, 0, 0, 100 + 5 << 30), (4, 4, 60, 40, 4, 8, 60 + 5 << 30, 40),
      (4, 8, 60, 40, 4, 8, 60 + 5 << 30, 40), (8, 0, 0, 100, 8, 0, 0, 100 + 5 << 30),
      (0, 4, 100, 0, 0, 8, 100 + 5 << 30, 0),
    ] as [(Int, Int, Int, Int, Int, Int, Int, Int)])
  func `it widens item locations`(
    _ offsetSize: Int, _ baseSize: Int, _ base: Int, _ offset: Int, _ newOffsetSize: Int,
    _ newBaseSize: Int, _ newBase: Int, _ newOffset: Int
  ) throws {
    var box = ItemLocation()
    box.offsetSize = UInt8(offsetSize)
    box.baseOffsetSize = UInt8(baseSize)
    var (item, extent) = (ItemLocation.Item(), ItemLocation.ItemExtent())
    item.id = 1
    item.baseOffset = UInt64(base)
    (extent.offset, extent.length) = (UInt64(offset), 4)
    item.extents = [extent]
    box.items = [item]
    var meta = Node("meta", Metadata())
    meta.children = [Node("iloc", box)]
    var writer = SyntaxWriter(ArraySink())
    try meta.write(to: &writer)
    let head = writer.sink.bytes + [0, 0, 0, 200] + Array("mdat".utf8)
    let source = MemorySource(head + [UInt8](repeating: 7, count: 192))
    var editor = BoxEditor(try BoxTree(reading: source), of: source)
    let large = 5 << 30
    let header: [UInt8] =
      [0, 0, 0, 1] + Array("free".utf8)
      + (0..<8).map { UInt8(truncatingIfNeeded: large >> (56 - 8 * $0)) }
    try editor.insert(Extent(Hole(header, count: large), 0..<large), at: .file(index: 1))
    let tree = try editor.finished().tree
    let path = try #require(BoxPath("meta/iloc"))
    let new = try #require(tree.nodes(at: path).first?.node.box as? ItemLocation)
    let grown = Int(new.offsetSize) - offsetSize + Int(new.baseOffsetSize) - baseSize
    #expect(Int(new.offsetSize) == newOffsetSize && Int(new.baseOffsetSize) == newBaseSize)
    #expect(Int(new.items[0].baseOffset) == newBase + (newBase > 0 ? grown : 0))
    #expect(Int(new.items[0].extents[0].offset) == newOffset + (newBase > 0 ? 0 : grown))
  }

  /// Two parts of 24 and 16 bytes, the first in two ranges; 16 bytes are put between its ranges.
  @Test func `it moves nothing that Canon's own offsets refer to`() throws {
    let entry = UInt32(1).bigEndianBytes + UInt64(64).bigEndianBytes + UInt64(16).bigEndianBytes
    let offsets = UInt32(32).bigEndianBytes + Array("CTBO".utf8) + UInt32(1).bigEndianBytes + entry
    let type: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
      0x48,
    ]
    let head = UInt32(56).bigEndianBytes + Array("uuid".utf8)
    let source = MemorySource(head + type + offsets + (try Self.free.bytes()))
    var editor = BoxEditor(try BoxTree(reading: source), of: source)
    try editor.insert(Self.free, at: .file(index: 0))
    #expect(throws: EditError.self) { try editor.finished() }
  }

  @Test func `it sizes parts and ranges anew`() throws {
    var index = SegmentIndex()
    let columns: [Table.Column] = [
      .init("reference_type", 1), .init("referenced_size", 31), .init("subsegment_duration", 32),
      .init("starts_with_SAP", 1), .init("SAP_type", 3), .init("SAP_delta_time", 28),
    ]
    index.references = try Table(
      columns: columns, rows: [[0, 24, 1, 1, 1, 0], [0, 16, 1, 1, 1, 0]])
    var ranges = SubsegmentIndex()
    ranges.subsegments = try ([[[0, 8], [1, 16]], [[0, 16]]] as [[[Int64]]]).map { rows in
      var subsegment = SubsegmentIndex.Subsegment()
      subsegment.ranges = try Table(
        columns: [.init("level", 8), .init("range_size", 24)], rows: rows)
      return subsegment
    }
    let boxes = [Node("sidx", index), Node("ssix", ranges)]
    var writer = SyntaxWriter(ArraySink())
    for box in boxes { try box.write(to: &writer) }
    // What the index refers to begins right behind `sidx`, so `ssix` lies before it here.
    index.firstOffset = UInt64(try boxes[1].size())
    writer = SyntaxWriter(ArraySink())
    try Node("sidx", index).write(to: &writer)
    try boxes[1].write(to: &writer)
    for size in [8, 16, 16] as [UInt8] {
      try writer.append(
        [0, 0, 0, size] + Array("skip".utf8) + [UInt8](repeating: 0, count: Int(size) - 8))
    }
    let source = MemorySource(writer.sink.bytes)
    let tree = try edited(source, insertingInto: "skip[1]")
    let newIndex = try #require(tree.boxes.first?.box as? SegmentIndex)
    #expect(newIndex.firstOffset == index.firstOffset)
    #expect(try newIndex.references.row(0)[1] == 40)
    #expect(try newIndex.references.row(1)[1] == 16)
    let newRanges = try #require(tree.boxes[1].box as? SubsegmentIndex).subsegments
    #expect(try newRanges[0].ranges.row(0) == [0, 24])
    #expect(try newRanges[0].ranges.row(1) == [1, 16])
    #expect(try newRanges[1].ranges.row(0) == [0, 16])
  }
}
