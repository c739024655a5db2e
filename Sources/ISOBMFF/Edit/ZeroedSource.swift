// SPDX-License-Identifier: MIT

public import ApusBytes

/// An input in which some ranges read as zeros, because a changed file no longer uses them.
public final class ZeroedSource: ByteSource {
  private let base: any ByteSource
  private let zeroed: [Range<Int>]

  /// Creates an input that has the size of another one.
  ///
  /// - Parameter ranges: the ranges that read as zeros, in any order, not overlapping.
  public init(_ base: any ByteSource, zeroing ranges: [Range<Int>]) {
    self.base = base
    zeroed = ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The size of the input in bytes.
  public var count: Int { base.count }
  /// `nil`: the bytes are read from the input.
  public var resident: [UInt8]? { nil }

  /// Reads a range, with zeros in place of unused bytes.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    var next = range.lowerBound
    for gone in zeroed where gone.overlaps(range) {
      let gone = gone.clamped(to: next..<range.upperBound)
      if next < gone.lowerBound { try base.read(next..<gone.lowerBound, into: &output) }
      for _ in gone { output.append(0) }
      next = gone.upperBound
    }
    if next < range.upperBound { try base.read(next..<range.upperBound, into: &output) }
  }
}
