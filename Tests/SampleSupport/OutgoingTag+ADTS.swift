// SPDX-License-Identifier: MIT

internal import ApusBytes
public import FLV
internal import TestSupport

extension OutgoingTag {
  /// `enhanced.flv` with the header of ISO/IEC 14496-3, 1.A.2.2 on each frame of sound: LC, 44.1 kHz, 1 channel, its
  /// length in 13 bits from the fourth byte on.
  public static func withADTS(hasConfiguration: Bool) throws -> [Self] {
    var reader = try TagReader(Fixture.source("enhanced.flv"))
    var tags: [Self] = []
    while let tag = try reader.nextTag() {
      var data = try reader.data(of: tag).bytes()
      if tag.header.type == .audio, data[1] == 0, !hasConfiguration { continue }
      if tag.header.type == .audio, data[1] == 1 {
        let length = data.count + 5
        let bits = [length >> 11 | 0x40, length >> 3 & 255, (length & 7) << 5 | 0x1f].map(
          UInt8.init)
        data.insert(contentsOf: [0xff, 0xf1, 0x50] + bits + [0xfc], at: 2)
      }
      tags.append(OutgoingTag(tag.header.type, time: tag.time, head: data))
    }
    return tags
  }
}
