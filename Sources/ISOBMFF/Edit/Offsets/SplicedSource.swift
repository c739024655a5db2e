// SPDX-License-Identifier: MIT

public import ApusBytes

/// A range of an input in which pieces are cut out, or replaced by other bytes: media data without some of its NAL units,
/// or with other metadata. Offsets of replaced pieces are mapped to the bytes after them.
public final class SplicedSource: ByteSource {
  /// The input from which pieces were taken.
  public let base: any ByteSource
  /// The parts of the result in order.
  private let parts: [Part]
  /// The replaced ranges of the input, sorted; one where bytes are only inserted is empty.
  let pieces: [Range<Int>]
  /// The offset in the result of the new bytes of each piece.
  let places: [Int]
  /// The number of bytes of the result.
  public let count: Int

  /// Bytes in the place of a range of the input.
  public struct Piece: Hashable, Sendable {
    /// The range of the input, which is empty where bytes are only inserted.
    public var range: Range<Int>
    /// The new bytes, as many as wanted; none where the range is cut out.
    public var bytes: [UInt8]

    /// Creates a piece; without bytes it is cut out.
    public init(_ range: Range<Int>, _ bytes: [UInt8] = []) {
      (self.range, self.bytes) = (range, bytes)
    }
  }

  /// A part of the result: a range of the input, or new bytes.
  private struct Part {
    var start: Int
    var old: Range<Int>?
    var bytes: [UInt8] = []

    var count: Int { old?.count ?? bytes.count }
  }

  /// - Parameter pieces: the pieces to replace, sorted, within the extent, not overlapping.
  public init(_ extent: Extent, replacing pieces: [Piece]) {
    var parts: [Part] = []
    var next = extent.range.lowerBound
    var count = 0
    var places: [Int] = []
    func add(_ part: Part) {
      guard part.count > 0 else { return }
      parts.append(part)
      count += part.count
    }
    for piece in pieces {
      add(Part(start: count, old: next..<piece.range.lowerBound))
      places.append(count)
      add(Part(start: count, bytes: piece.bytes))
      next = piece.range.upperBound
    }
    add(Part(start: count, old: next..<max(next, extent.range.upperBound)))
    base = extent.source
    self.pieces = pieces.map(\.range)
    self.parts = parts
    self.places = places
    self.count = count
  }

  /// Creates a range of an input without some pieces.
  ///
  /// - Parameter cuts: the pieces to remove, sorted, within the extent, not overlapping.
  public convenience init(_ extent: Extent, without cuts: [Range<Int>]) {
    self.init(extent, replacing: cuts.map { Piece($0) })
  }

  /// `nil`: the bytes are read from the input.
  public var resident: [UInt8]? { nil }

  /// Reads a range of the result.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    for (part, inner) in parts(in: range) {
      if let old = part.old {
        let start = old.lowerBound + inner.lowerBound
        try base.read(start..<start + inner.count, into: &output)
      } else {
        for byte in part.bytes[inner] { output.append(byte) }
      }
    }
  }

  /// Returns the ranges of the input that are in `range`; their new offsets are relative to the start of `range`.
  func stretches(in range: Range<Int>) -> [OffsetMap.Stretch] {
    parts(in: range).compactMap { part, inner in
      part.old.map { old in
        let start = old.lowerBound + inner.lowerBound
        return .init(
          old: start..<start + inner.count, new: part.start + inner.lowerBound - range.lowerBound)
      }
    }
  }

  /// Returns the extents of the input, and of new bytes, that make up `range`.
  func extents(in range: Range<Int>) -> [Extent] {
    parts(in: range).map { part, inner in
      guard let old = part.old else { return Extent(Array(part.bytes[inner])) }
      let start = old.lowerBound + inner.lowerBound
      return Extent(base, start..<start + inner.count)
    }
  }

  /// Returns the parts in a range, each with the part of it that is in the range.
  private func parts(in range: Range<Int>) -> [(part: Part, inner: Range<Int>)] {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start + parts[middle].count <= range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var found: [(part: Part, inner: Range<Int>)] = []
    for part in parts[low...] {
      guard part.start < range.upperBound else { break }
      let here = (part.start..<part.start + part.count).clamped(to: range)
      found.append((part, here.lowerBound - part.start..<here.upperBound - part.start))
    }
    return found
  }
}

extension [SplicedSource.Piece] {
  /// The pieces in the order of their ranges.
  public func sorted() -> [SplicedSource.Piece] {
    sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
