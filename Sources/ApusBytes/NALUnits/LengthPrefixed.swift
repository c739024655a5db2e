// SPDX-License-Identifier: MIT

/// NAL units with length prefixes, as in the samples of a file: ISO/IEC 14496-15, 4.3.3.
public enum LengthPrefixed {
  /// Returns the ranges of the NAL units in a sample, without their lengths.
  ///
  /// - Parameter lengthSize: 1, 2 or 4 bytes (`lengthSizeMinusOne + 1`).
  public static func units(in sample: Span<UInt8>, lengthSize: Int)
    throws(SyntaxError) -> [Range<Int>]
  {
    try check(lengthSize)
    var units: [Range<Int>] = []
    var index = 0
    while index < sample.count {
      guard sample.count - index >= lengthSize else {
        throw truncated(at: index, needed: lengthSize, left: sample.count - index)
      }
      let length = Int(bigEndianBytes: sample, at: index, count: lengthSize)
      index += lengthSize
      guard length <= sample.count - index else {
        throw truncated(at: index, needed: length, left: sample.count - index)
      }
      units.append(index..<index + length)
      index += length
    }
    return units
  }

  /// A NAL unit in a sample, with its first byte.
  public struct Head: Hashable, Sendable {
    /// The range relative to the start of the sample, without the length.
    public var range: Range<Int>
    /// The first byte; 0 if the NAL unit is empty.
    public var first: UInt8
  }

  /// Returns the NAL units of a sample that is still in its file, reading only the beginning of each.
  public static func heads(in sample: Extent, lengthSize: Int) throws(SyntaxError) -> [Head] {
    try check(lengthSize)
    var heads: [Head] = []
    var walk = NALUnitWalk(over: sample, lengthSize: lengthSize)
    while let head = try walk.next() {
      guard head.range.upperBound <= sample.count else {
        throw truncated(
          at: head.range.lowerBound, needed: head.range.count,
          left: sample.count - head.range.lowerBound)
      }
      heads.append(head)
    }
    guard !walk.isTorn else {
      throw truncated(at: walk.place, needed: lengthSize, left: sample.count - walk.place)
    }
    return heads
  }

  /// Returns copies of the NAL units in a sample, without their lengths.
  ///
  /// - Parameter lengthSize: 1, 2 or 4 bytes (`lengthSizeMinusOne + 1`).
  public static func nalUnits(in sample: [UInt8], lengthSize: Int)
    throws(SyntaxError) -> [[UInt8]]
  {
    try units(in: sample.span, lengthSize: lengthSize).map { Array(sample[$0]) }
  }

  /// Returns a sample of these NAL units, each after its length.
  ///
  /// - Parameter lengthSize: 1, 2 or 4 bytes; throws if a NAL unit is too long for it.
  public static func bytes(of nalUnits: [[UInt8]], lengthSize: Int = 4)
    throws(SyntaxError) -> [UInt8]
  {
    var result: [UInt8] = []
    result.reserveCapacity(nalUnits.reduce(0) { $0 + $1.count + lengthSize })
    for nalUnit in nalUnits { try append(nalUnit[...], lengthSize: lengthSize, to: &result) }
    return result
  }

  static func append(_ nalUnit: ArraySlice<UInt8>, lengthSize: Int, to bytes: inout [UInt8])
    throws(SyntaxError)
  {
    try check(lengthSize)
    guard UInt64(nalUnit.count) >> UInt64(lengthSize * 8) == 0 else {
      throw SyntaxError(
        .misuse, field: "nalUnitLength",
        detail: "of \(nalUnit.count) does not fit \(lengthSize * 8) bits")
    }
    for index in (0..<lengthSize).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: nalUnit.count >> (index * 8)))
    }
    bytes += nalUnit
  }

  private static func check(_ lengthSize: Int) throws(SyntaxError) {
    guard lengthSize == 1 || lengthSize == 2 || lengthSize == 4 else {
      throw SyntaxError(
        .invalid, field: "lengthSizeMinusOne",
        detail: "is \(lengthSize - 1), allowed are 0, 1 and 3")
    }
  }

  /// Returns an error relative to the start of the sample, whose offset in the file is unknown here.
  private static func truncated(at offset: Int, needed: Int, left: Int) -> SyntaxError {
    SyntaxError(
      .truncated, field: "NAL unit",
      detail: "at byte \(offset) of its sample needs \(needed) bytes, has \(left)")
  }
}
