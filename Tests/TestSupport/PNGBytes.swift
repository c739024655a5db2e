// SPDX-License-Identifier: MIT

/// Bytes of PNGs that are made by hand: ISO/IEC 15948, 5.
package enum PNGBytes {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A chunk with its checksum, which is computed bit by bit.
  package static func chunk(_ type: String, _ body: [UInt8] = []) -> [UInt8] {
    let named = Array(type.utf8) + body
    var remainder = UInt32.max
    for byte in named {
      for bit in 0..<8 {
        let isOdd = (remainder ^ UInt32(byte >> bit)) & 1 != 0
        remainder >>= 1
        if isOdd { remainder ^= 0xEDB8_8320 }
      }
    }
    return word(UInt32(body.count)) + named + word(~remainder)
  }

  /// A number, its high byte first.
  package static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
