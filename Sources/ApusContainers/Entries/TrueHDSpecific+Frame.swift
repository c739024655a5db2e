// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension TrueHDSpecific {
  /// Creates the box from an access unit with a major sync: Dolby TrueHD (MLP) High-Level Bitstream Description, 3 and 4.2.
  init(firstOf unit: [UInt8]) throws(SyntaxError) {
    guard unit.count >= 20, unit[4..<8].elementsEqual([0xf8, 0x72, 0x6f, 0xba]) else {
      throw SyntaxError(
        .invalid, field: "format_sync", offset: 4, detail: "is not that of TrueHD")
    }
    // The first fields of the box follow in the same form, and the rate six bytes later.
    var reader = SyntaxReader(
      MemorySource(unit[8..<12] + [unit[18] << 1 | unit[19] >> 7, unit[19] << 1, 0, 0, 0, 0]))
    self.init()
    try syntax(&reader)
  }
}
