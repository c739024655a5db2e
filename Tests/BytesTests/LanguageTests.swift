// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@Suite struct LanguageTests {
  /// QuickTime File Format Specification, "Language Code Values"; letters of ISO 639-2 for terms.
  @Test(
    arguments: [
      (0, "eng", "und"), (2, "deu", "deu"), (11, "jpn", "jpn"), (19, "zho", "zho"),
      (33, "zho", "zho"),
      (34, "nld", "nld"), (46, "bel", "bel"), (60, "kur", "kur"), (80, "vie", "vie"),
      (94, "epo", "epo"),
      (95, "und", "und"), (128, "cym", "cym"), (130, "cat", "cat"), (138, "jav", "jav"),
      (139, "und", "und"), (0x3ff, "und", "und"), (0x15c7, "eng", "eng"), (0x55c4, "und", "und"),
      (0x7fff, "und", "und"),
    ] as [(UInt16, String, String)])
  func `it knows the letters of a code`(code: UInt16, quickTime: String, other: String) {
    #expect(Language(code: code).letters(isQuickTime: true) == quickTime)
    #expect(Language(code: code).letters(isQuickTime: false) == other)
  }
}
