// SPDX-License-Identifier: MIT

extension SyntaxVisitor {
  /// Visits a type or a size of `sei_message()`, coded as bytes of 255 and a final, smaller one: ITU-T H.264, 7.3.2.3.1;
  /// ITU-T H.265, 7.3.5.
  package mutating func coded(_ last: StaticString, _ value: inout UInt32) throws(SyntaxError) {
    var rest = value
    var sum: UInt32 = 0
    while true {
      var byte = UInt8(clamping: rest)
      try u(8, !isReading && byte == 0xff ? "ff_byte" : last, &byte)
      rest -= min(rest, 255)
      let (total, overflow) = sum.addingReportingOverflow(UInt32(byte))
      guard !overflow else { throw failure(.invalid, last, "is beyond 32 bits") }
      sum = total
      if byte != 0xff { break }
    }
    value = sum
  }
}
