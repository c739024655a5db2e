// SPDX-License-Identifier: MIT

import TestSupport
import Testing

struct HEIFBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "ispe by heif-enc 1.15.1", "00000014 69737065 00000000 00000040 00000030",
      ["version=0", "flags=0x0", "image_width=64", "image_height=48"])
  ]

  @Test(arguments: rows) func readsWritesAndSurvives(_ row: BoxRow) throws { try check(row) }
}
