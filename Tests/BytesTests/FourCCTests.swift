// SPDX-License-Identifier: MIT

import Bytes
import Testing

struct FourCCTests {
  @Test(arguments: [
    ("ftyp" as FourCC, "ftyp"), (FourCC(0xa96e_616d), "©nam"),
    (FourCC(0x0000_0001), "\\x00\\x00\\x00\\x01"),
  ]) func showsWhatCannotBeTyped(_ code: FourCC, _ text: String) {
    #expect(code.description == text)
  }

  @Test func padsAShortOne() { #expect(FourCC(text: "url") == "url ") }
}
