// SPDX-License-Identifier: MIT

/// The message digest SHA-256 (FIPS 180-4), and the authentication code based on it (RFC 2104).
public enum SHA256 {
  private static let blockSize = 64

  /// Returns the digest of a message, 32 bytes.
  public static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    var padded = message + [0x80]
    padded += Array(repeating: 0, count: (120 - padded.count % blockSize) % blockSize)
    padded += (UInt64(message.count) &* 8).bigEndianBytes
    for start in stride(from: 0, to: padded.count, by: blockSize) {
      mix(padded, at: start, into: &state)
    }
    return state.flatMap(\.bigEndianBytes)
  }

  /// Returns the HMAC-SHA256 of a message.
  public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? digest(of: key) : key
    block += Array(repeating: 0, count: blockSize - block.count)
    let inner = digest(of: block.map { $0 ^ 0x36 } + message)
    return digest(of: block.map { $0 ^ 0x5c } + inner)
  }

  private static func mix(_ message: [UInt8], at start: Int, into state: inout [UInt32]) {
    var words = (0..<16).map {
      UInt32(bigEndianBytes: message.span, at: start + $0 * 4, count: 4)
    }
    for step in 16..<64 {
      let (early, late) = (words[step - 15], words[step - 2])
      let small = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let large = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words.append(words[step - 16] &+ small &+ words[step - 7] &+ large)
    }
    var s = state
    for step in 0..<64 {
      let (a, e) = (s[0], s[4])
      let choice = e & s[5] ^ ~e & s[6]
      let majority = a & s[1] ^ a & s[2] ^ s[1] & s[2]
      let first =
        s[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[step]
        &+ words[step]
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      s = [first &+ second, a, s[1], s[2], s[3] &+ first, e, s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
