// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A file after its changes: its boxes, and the few bytes that differ if nothing moved.
public struct EditedFile: Sendable {
  /// The boxes after the changes, with sizes and offsets updated.
  public let tree: BoxTree
  /// The size of the changed file in bytes.
  public let count: Int
  /// The bytes to overwrite in the old file to obtain the new one; `nil` if its size changes.
  public let splices: [Splice]?
  /// The moves that result from the change, for display.
  public let moves: [Move]

  /// A range of bytes that stays together, and its new position.
  public struct Move: Hashable, Sendable {
    /// The range in the old file.
    public var old: Range<Int>
    /// The offset in the new file.
    public var new: Int
  }
}

/// Bytes that replace the same number of others.
public struct Splice: Hashable, Sendable {
  /// The range in the file.
  public var range: Range<Int>
  /// The new bytes, as many as the range has.
  public var bytes: [UInt8]
  /// The box and field that changed, such as `moov/trak/tkhd/width`.
  public var reason: String

  /// Creates a replacement.
  public init(range: Range<Int>, bytes: [UInt8], reason: String) {
    (self.range, self.bytes, self.reason) = (range, bytes, reason)
  }
}

/// The offsets of new media data in a changed file.
public struct NewData: Sendable {
  private var pieces: [Int: Int] = [:]
  /// The offset of the data that was added in a separate box; 0 if there is none.
  public private(set) var added = 0

  /// Finds the data in boxes with final sizes.
  fileprivate init(in boxes: [Node], from source: any ByteSource) throws(SyntaxError) {
    var end = 0
    for node in boxes {
      end += try node.size()
      guard case .lazy(let body) = node.content, node.extent == nil else { continue }
      let start = end - body.count
      if let spliced = body.source as? SplicedSource, spliced.base === source {
        for (range, place) in zip(spliced.pieces, spliced.places) {
          pieces[range.lowerBound] = start + place
        }
      } else if node.origin == nil {
        added = start
      }
    }
  }

  /// Returns the offset of the bytes that replace those from an offset of the original file.
  public func place(ofPieceAt offset: Int) -> Int? { pieces[offset] }
}

extension BoxEditor {
  /// Returns the file with all changes applied, and sizes and offsets updated.
  ///
  /// - Parameter place: sets offsets of new media data in boxes whose sizes are final; `NewData` tells where it is.
  public func finished(
    placing place: (inout [Node], NewData) throws(EditError) -> Void = { _, _ in }
  ) throws(EditError) -> EditedFile {
    var boxes = try withAddedData(renumbered(pieces.isEmpty ? boxes : splicing(boxes)))
    try boxes.settle()
    let settled = boxes
    var map = try self.map(of: settled)
    if !map.movesNothing || hasRemoved {
      boxes = try OffsetRebaser.rebased(boxes, from: source)
      map = try self.map(of: boxes)
    }
    let final = boxes
    let data = try reading { () throws(SyntaxError) in try NewData(in: final, from: source) }
    try place(&boxes, data)
    let tree = BoxTree(boxes: boxes)
    return EditedFile(
      tree: tree, count: map.newCount,
      splices: map.newCount == source.count ? try splices(of: tree) : nil,
      moves: map.stretches.filter { $0.shift != 0 }.map { .init(old: $0.old, new: $0.new) })
  }

  private func map(of boxes: [Node]) throws(EditError) -> OffsetMap {
    try reading { () throws(SyntaxError) in try PlacementSink.map(of: boxes, from: source) }
  }

  /// Returns the differences, each with the field that it belongs to.
  private func splices(of tree: BoxTree) throws(EditError) -> [Splice] {
    try reading { () throws(SyntaxError) in
      var writer = SyntaxWriter(SpliceSink(source))
      var boxes = tree.boxes
      try writer.framed(&boxes, count: nil)
      return try writer.sink.splices.map { splice throws(SyntaxError) in
        var splice = splice
        let (old, new) = (try source.bytes(in: splice.range), splice.bytes)
        splice.reason = try name(
          ofBit: splice.range.lowerBound * 8 + (old[0] ^ new[0]).leadingZeroBitCount)
        return splice
      }
    }
  }

  /// Returns the box and field that a bit of the file belongs to.
  private func name(ofBit bit: Int) throws(SyntaxError) -> String {
    guard let located = original.node(at: bit / 8) else { return "" }
    let fields = try located.node.headerFields() + located.node.fields()
    let leaf = fields.flatMap(\.leaves).first { $0.field.range.contains(bit) }
    return leaf.map { "\(located.path)/\($0.name)" } ?? located.path
  }
}
