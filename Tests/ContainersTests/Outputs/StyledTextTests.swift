// SPDX-License-Identifier: MIT

import Testing

@testable import ApusContainers

struct StyledTextTests {
  /// White is the colour of the sample entry, so that a sample of white text needs no `styl`: 3GPP TS 26.245, 5.17.1.1.
  @Test(arguments: ["a", "<font color=\"#ffffff\">a</font>"])
  func `it gives white text no style of its own`(_ markup: String) {
    #expect(TextMarkup.subRip.text(Array(markup.utf8)).sample == [0, 1, 0x61])
  }

  /// A style reaches over letters that differ in nothing but how their white was said.
  @Test func `it makes one style of letters that look alike`() {
    let text = TextMarkup.subRip.text(Array("<b>a<font color=\"#ffffff\">b</font></b>".utf8))
    let style: [UInt8] = [0, 0, 0, 2, 0, 1, 1, 16, 0xff, 0xff, 0xff, 0xff]
    #expect(text.sample == [0, 2, 0x61, 0x62, 0, 0, 0, 22] + "styl".utf8 + [0, 1] + style)
    #expect(StyledText(sample: text.sample).sample == text.sample)
  }
}
