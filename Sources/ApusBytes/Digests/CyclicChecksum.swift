// SPDX-License-Identifier: MIT

/// The CRC of transport streams and of Dolby Vision's metadata: ISO/IEC 13818-1, annex A.
package enum CyclicChecksum {
  /// Returns the checksum of bytes; that of bytes followed by their checksum is 0.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(UInt32.max) { remainder, byte in
      (0..<8).reduce(remainder ^ UInt32(byte) << 24) { sum, _ in
        sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04c1_1db7
      }
    }
  }
}
