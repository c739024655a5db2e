// SPDX-License-Identifier: MIT

internal import Glibc

/// The message digest of RFC 1321, by which a profile names itself.
enum MD5 {
  static func digest(of message: [UInt8]) -> [UInt8] {
    let bits = message.count &* 8
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for block in stride(from: 0, to: padded.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { sum, byte in
          sum | UInt32(padded[block + 4 * word + byte]) << (8 * UInt32(byte))
        }
      }
      let next = rounds(of: words, from: state)
      for index in state.indices { state[index] &+= next[index] }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func rounds(of words: [UInt32], from state: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, word) =
        switch step / 16 {
        case 0: ((b & c) | (~b & d), step)
        case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), (7 * step) % 16)
        }
      let sum = a &+ mixed &+ constants[step] &+ words[word]
      let turn = turns[step / 16 * 4 + step % 4]
      (a, d, c) = (d, c, b)
      b = b &+ (sum << turn | sum >> (32 - turn))
    }
    return [a, b, c, d]
  }

  private static let turns: [UInt32] = [
    7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
  ]
  private static let constants = (1...64).map { UInt32(sin(Double($0)).magnitude * 4_294_967_296) }
}
