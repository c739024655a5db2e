// SPDX-License-Identifier: MIT

public import ApusBytes

/// A range of an input without the pieces that were cut out of it: media data without some of its NAL units. Offsets of
/// removed pieces are mapped to the bytes after them.
public final class CutSource: ByteSource {
  /// The input from which pieces were cut.
  public let base: any ByteSource
  /// The remaining parts of the input in order, with their offsets here.
  private let kept: [OffsetMap.Stretch]
  let cuts: [Range<Int>]
  /// The number of remaining bytes.
  public let count: Int

  /// - Parameter cuts: the pieces to remove, sorted, within the extent, not overlapping.
  public init(_ extent: Extent, without cuts: [Range<Int>]) {
    var kept: [OffsetMap.Stretch] = []
    var next = extent.range.lowerBound
    var count = 0
    for cut in cuts + [extent.range.upperBound..<extent.range.upperBound]
    where cut.lowerBound >= next {
      if cut.lowerBound > next { kept.append(.init(old: next..<cut.lowerBound, new: count)) }
      count += cut.lowerBound - next
      next = cut.upperBound
    }
    base = extent.source
    self.cuts = cuts
    self.kept = kept
    self.count = count
  }

  /// `nil`: the bytes are read from the input.
  public var resident: [UInt8]? { nil }

  /// Reads a range of the remaining bytes.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    for stretch in stretches(in: range) { try base.read(stretch.old, into: &output) }
  }

  /// Returns the ranges of the input that make up `range`; their new offsets are relative to the start of `range`.
  func stretches(in range: Range<Int>) -> [OffsetMap.Stretch] {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle].new + kept[middle].old.count <= range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var found: [OffsetMap.Stretch] = []
    for stretch in kept[low...] {
      guard stretch.new < range.upperBound else { break }
      let here = (stretch.new..<stretch.new + stretch.old.count).clamped(to: range)
      let old = here.lowerBound - stretch.shift..<here.upperBound - stretch.shift
      found.append(.init(old: old, new: here.lowerBound - range.lowerBound))
    }
    return found
  }
}
