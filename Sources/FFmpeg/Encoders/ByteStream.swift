// SPDX-License-Identifier: MIT

/// NAL units behind start codes: ITU-T H.264 and H.265, annex B.
enum ByteStream {
  /// Where the units lie, without the zeros that may stand behind them.
  static func units(of bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var start: Int?
    var index = 2
    while index < bytes.count {
      // A start code ends with a 1: of any other byte above it, none can end here or at the next two.
      let byte = unsafe bytes[index]
      if byte > 1 {
        index += 3
      } else if unsafe byte == 1 && bytes[index - 1] == 0 && bytes[index - 2] == 0 {
        if let start { unsafe append(start..<index - 2, of: bytes, to: &units) }
        start = index + 1
        index += 3
      } else {
        index += 1
      }
    }
    if let start { unsafe append(start..<bytes.count, of: bytes, to: &units) }
    return units
  }

  private static func append(
    _ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, to units: inout [Range<Int>]
  ) {
    var end = range.upperBound
    while end > range.lowerBound, unsafe bytes[end - 1] == 0 { end -= 1 }
    if end > range.lowerBound { units.append(range.lowerBound..<end) }
  }

  /// The same units, each behind its length in four bytes.
  static func withLengths(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let units = unsafe units(of: bytes)
    var result: [UInt8] = []
    result.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      let length = UInt32(clamping: unit.count)
      for shift in [24, 16, 8, 0] as [UInt32] {
        result.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      unsafe result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[unit]))
    }
    return result
  }
}
