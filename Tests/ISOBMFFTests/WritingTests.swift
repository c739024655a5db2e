// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Synchronization
import Testing

@Suite struct WritingTests {
  /// A box that counts how often its declaration is run.
  private struct CountedBox: ParentBox {
    static let types: [FourCC] = []
    var boxes: [Node] = []
    var runs = Runs()

    final class Runs: Sendable {
      let count = Mutex(0)
    }

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      runs.count.withLock { $0 += 1 }
      try v.framed(&boxes, count: nil)
    }
  }

  /// Boxes that were made, in each of which two others lie, and all that count how often they are run.
  private func nested(depth: Int, _ all: inout [CountedBox.Runs]) -> Node {
    var box = CountedBox()
    all.append(box.runs)
    if depth > 0 {
      for _ in 0..<2 { box.boxes.append(nested(depth: depth - 1, &all)) }
    }
    return Node("free", box)
  }

  @Test(arguments: [0, 1, 5, 10]) func `it runs a declaration twice, however deep the box lies`(
    depth: Int
  ) throws {
    var runs: [CountedBox.Runs] = []
    let node = nested(depth: depth, &runs)
    #expect(try node.size() == 8 * runs.count)
    for run in runs { #expect(run.count.withLock(\.self) == 1) }

    var writer = SyntaxWriter(ArraySink())
    try node.write(to: &writer)
    #expect(writer.sink.count == 8 * runs.count)
    // Once for its size, and once to be written.
    for run in runs { #expect(run.count.withLock(\.self) == 3) }
  }

  @Test func `it says the sizes of boxes that were made between those that were read`() throws {
    let read = try BoxTree(reading: MemorySource(Array("\0\0\0\u{10}moov\0\0\0\u{08}free".utf8)))
    var inner = CountedBox()
    inner.boxes = read.boxes + [Node("free", FreeSpace())]
    var outer = CountedBox()
    outer.boxes = [Node("skip", inner)] + read.boxes + [Node("skip", inner), Node("wide", inner)]
    var writer = SyntaxWriter(ArraySink())
    try Node("moof", outer).write(to: &writer)
    let written = try BoxTree(reading: MemorySource(writer.sink.bytes))
    #expect(written.findings.isEmpty)
    #expect(written.boxes.map(\.type) == ["moof"])
    #expect(try written.boxes[0].size() == writer.sink.count)
    let sizes = try written.boxes[0].children.map { box throws(SyntaxError) in try box.size() }
    #expect(sizes == [32, 16, 32, 32])
  }

  @Test func `it measures what has no header of its own`() throws {
    let tree = try BoxTree(reading: MemorySource(Array("\0\0\0\u{0c}udta\0\0\0\0".utf8)))
    var rest = try #require(tree.boxes.first?.children.first)
    #expect(rest.isJunk)
    rest.extent = nil
    #expect(try rest.size() == 4)
  }
}
