// SPDX-License-Identifier: MIT

/// NAL units with start codes between them: ITU-T H.264 and H.265, Annex B.
public enum AnnexB {
  /// A NAL unit in a byte stream, with its surroundings.
  public struct Unit: Hashable, Sendable {
    /// The range of `leading_zero_8bits`, `zero_byte` and the three bytes of the prefix.
    public var startCode: Range<Int>
    /// The range of the NAL unit, including its header.
    public var nalUnit: Range<Int>
    /// The number of `trailing_zero_8bits` that follow.
    public var trailingZeros: Int

    public init(startCode: Range<Int>, nalUnit: Range<Int>, trailingZeros: Int) {
      self.startCode = startCode
      self.nalUnit = nalUnit
      self.trailingZeros = trailingZeros
    }
  }

  /// Passes each NAL unit of `bytes` in turn, skipping bytes before the first start code. The body returns whether to
  /// continue.
  public static func forEachUnit(in bytes: Span<UInt8>, _ body: (Unit) -> Bool) {
    guard var prefix = StartCode.next(in: bytes) else { return }
    var codeStart = prefix
    while codeStart > 0, bytes[codeStart - 1] == 0 { codeStart -= 1 }
    while true {
      let start = prefix + 3
      let next = StartCode.next(in: bytes, from: start)
      var end = next ?? bytes.count
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      // One of the zeros before a prefix belongs to the start code (`zero_byte`).
      let nextCode = next.map { $0 > end ? $0 - 1 : $0 } ?? bytes.count
      let unit = Unit(
        startCode: codeStart..<start, nalUnit: start..<end, trailingZeros: nextCode - end)
      guard body(unit), let next else { return }
      prefix = next
      codeStart = nextCode
    }
  }

  /// Returns the NAL units of a byte stream; bytes before the first start code are skipped.
  public static func units(in bytes: Span<UInt8>) -> [Unit] {
    var units: [Unit] = []
    forEachUnit(in: bytes) { unit in
      units.append(unit)
      return true
    }
    return units
  }

  /// Returns the NAL units.
  public static func nalUnits(in bytes: [UInt8]) -> [[UInt8]] {
    units(in: bytes.span).map { Array(bytes[$0.nalUnit]) }
  }

  /// Returns the same NAL units with length prefixes (ISO/IEC 14496-15, 4.3.3).
  public static func lengthPrefixed(_ stream: [UInt8], lengthSize: Int = 4)
    throws(SyntaxError) -> [UInt8]
  {
    var result: [UInt8] = []
    result.reserveCapacity(stream.count + 16)
    for unit in units(in: stream.span) {
      try LengthPrefixed.append(stream[unit.nalUnit], lengthSize: lengthSize, to: &result)
    }
    return result
  }
}
