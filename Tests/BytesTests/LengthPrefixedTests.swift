// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@Suite struct LengthPrefixedTests {
  /// Samples that are torn, and where: counted by hand.
  static let torn: [(sample: String, detail: String)] = [
    ("00000001 02 0000", "at byte 5 of its sample needs 4 bytes, has 2"),
    ("00000001 02 00000003 4001", "at byte 9 of its sample needs 3 bytes, has 2"),
    ("00000001", "at byte 4 of its sample needs 1 bytes, has 0"),
    ("000001", "at byte 0 of its sample needs 4 bytes, has 3"),
  ]

  @Test(arguments: torn) func `it says where a sample is torn`(_ sample: String, _ detail: String)
    throws
  {
    let bytes = hex(sample)
    let whole = #expect(throws: SyntaxError.self) {
      try LengthPrefixed.units(in: bytes.span, lengthSize: 4)
    }
    let heads = #expect(throws: SyntaxError.self) {
      try LengthPrefixed.heads(in: Extent(bytes), lengthSize: 4)
    }
    #expect(whole?.detail == detail && heads?.detail == detail)
  }
}
