// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A sink that records only the new offsets of the bytes of `source`.
struct PlacementSink: ByteSink {
  private let source: any ByteSource
  private(set) var count = 0
  private var placed: [OffsetMap.Stretch] = []
  private var cuts: [Range<Int>] = []

  /// Returns the map of the offsets that result from writing `boxes`.
  static func map(of boxes: [Node], from source: any ByteSource) throws(SyntaxError) -> OffsetMap {
    var writer = SyntaxWriter(PlacementSink(source))
    var boxes = boxes
    try writer.framed(&boxes, count: nil)
    return OffsetMap(
      writer.sink.placed, cuts: writer.sink.cuts, oldCount: source.count,
      newCount: writer.sink.count)
  }

  private init(_ source: any ByteSource) { self.source = source }

  mutating func append(_ byte: UInt8) { count += 1 }
  mutating func append(_ bytes: Span<UInt8>) { count += bytes.count }

  mutating func append(_ extent: Extent) {
    if extent.source === source {
      place(extent.range)
    } else if let source = extent.source as? SplicedSource, source.base === self.source {
      cuts += source.pieces.filter { !$0.isEmpty }
      for stretch in source.stretches(in: extent.range) {
        placed.append(.init(old: stretch.old, new: count + stretch.new))
      }
    }
    count += extent.count
  }

  mutating func skip(framed extent: Range<Int>) -> Bool {
    place(extent)
    count += extent.count
    return true
  }

  mutating func begin(framed origin: Range<Int>, header: Int) {
    place(origin.lowerBound..<origin.lowerBound + header)
  }

  private mutating func place(_ range: Range<Int>) {
    placed.append(.init(old: range, new: count))
  }
}
