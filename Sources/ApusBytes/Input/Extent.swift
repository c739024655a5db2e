// SPDX-License-Identifier: MIT

/// A range of an input that is read only on demand: media data, a table, an unknown body.
public struct Extent: Sendable {
  /// The input that contains the bytes.
  public let source: any ByteSource
  /// The range of the bytes, as offsets in `source`.
  public let range: Range<Int>

  /// Creates an extent without reading it; the range must be within the input.
  public init(_ source: any ByteSource, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// Creates an extent of bytes in memory.
  public init(_ bytes: [UInt8] = []) {
    self.init(MemorySource(bytes), 0..<bytes.count)
  }

  /// The number of bytes.
  public var count: Int { range.count }
  /// Whether the extent has no bytes.
  public var isEmpty: Bool { range.isEmpty }

  /// Reads and returns the bytes.
  public func bytes() throws(SyntaxError) -> [UInt8] { try source.bytes(in: range) }

  /// Returns the first `count` bytes, or all if there are fewer.
  public func prefix(_ count: Int) -> Extent {
    Extent(source, range.lowerBound..<range.lowerBound + min(max(count, 0), range.count))
  }

  /// Passes the bytes in pieces, so that memory use does not grow with the extent.
  ///
  /// Each piece but the last is `size` bytes long.
  @inlinable
  public func forEachPiece(
    of size: Int = 1 << 18, _ body: (Span<UInt8>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    if let resident = source.resident {
      return try body(resident.span.extracting(range))
    }
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + size, range.upperBound)
      let piece = try source.bytes(in: start..<end)
      try body(piece.span)
      start = end
    }
  }
}

extension Extent: Equatable {
  /// Returns whether both have the same bytes; for two ranges of the same input, their positions are compared first.
  public static func == (left: Extent, right: Extent) -> Bool {
    guard left.count == right.count else { return false }
    if left.source === right.source, left.range == right.range { return true }
    guard let leftBytes = try? left.bytes(), let rightBytes = try? right.bytes() else {
      return false
    }
    return leftBytes == rightBytes
  }
}
