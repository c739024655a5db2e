// SPDX-License-Identifier: MIT

public import Bytes

/// NAL units with their lengths before them, as samples of a file hold them: ISO/IEC 14496-15, 4.3.3.
public enum LengthPrefixed {
  /// Where the NAL units of a sample lie.
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
      var length = 0
      for offset in index..<index + lengthSize { length = length << 8 | Int(sample[offset]) }
      index += lengthSize
      guard length <= sample.count - index else {
        throw truncated(at: index, needed: length, left: sample.count - index)
      }
      units.append(index..<index + length)
      index += length
    }
    return units
  }

  public static func nalUnits(in sample: [UInt8], lengthSize: Int)
    throws(SyntaxError) -> [[UInt8]]
  {
    try units(in: sample.span, lengthSize: lengthSize).map { Array(sample[$0]) }
  }

  public static func bytes(of nalUnits: [[UInt8]], lengthSize: Int = 4)
    throws(SyntaxError) -> [UInt8]
  {
    var result: [UInt8] = []
    result.reserveCapacity(nalUnits.reduce(0) { $0 + $1.count + lengthSize })
    for nalUnit in nalUnits { try append(nalUnit[...], lengthSize: lengthSize, to: &result) }
    return result
  }

  /// The same NAL units with start codes between them (ITU-T H.265, Annex B).
  public static func annexB(_ sample: [UInt8], lengthSize: Int) throws(SyntaxError) -> [UInt8] {
    AnnexB.bytes(of: try nalUnits(in: sample, lengthSize: lengthSize))
  }

  static func append(_ nalUnit: ArraySlice<UInt8>, lengthSize: Int, to bytes: inout [UInt8])
    throws(SyntaxError)
  {
    try check(lengthSize)
    guard UInt64(nalUnit.count) >> UInt64(lengthSize * 8) == 0 else {
      throw SyntaxError(
        .misuse, field: "nalUnitLength", offset: bytes.count,
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
        .invalid, field: "lengthSizeMinusOne", offset: 0,
        detail: "is \(lengthSize - 1), allowed are 0, 1 and 3")
    }
  }

  private static func truncated(at offset: Int, needed: Int, left: Int) -> SyntaxError {
    SyntaxError(
      .truncated, field: "NAL unit", offset: offset, detail: "needs \(needed) bytes, has \(left)")
  }
}
