// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

struct FourCCTests {
  @Test(arguments: [
    ("ftyp" as FourCC, "ftyp"), (FourCC(0xa96e_616d), "©nam"),
    (FourCC(0x0000_0001), "\\x00\\x00\\x00\\x01"),
  ]) func `it shows what cannot be typed`(_ code: FourCC, _ text: String) {
    #expect(code.description == text)
  }

  @Test(
    arguments: [
      ("free" as FourCC, 0x6672_6565), ("©nam", 0xa96e_616d), ("nam©", 0x6e61_6da9),
      ("\u{80}\u{bf}\u{c0}\u{ff}", 0x80bf_c0ff), ("ms\u{0}U", 0x6d73_0055), ("\u{a9}", 0xa9),
    ] as [(FourCC, UInt32)])
  func `it takes a literal for characters of Latin-1`(_ code: FourCC, _ number: UInt32) {
    #expect(code.code == number)
  }

  @Test func `it pads a short one`() { #expect(FourCC(text: "url") == "url ") }
}
