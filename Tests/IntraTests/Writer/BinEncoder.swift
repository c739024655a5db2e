// SPDX-License-Identifier: MIT

@testable import ApusIntra

/// The arithmetic encoder: ITU-T H.265, 9.3.4.6.
struct BinEncoder {
  private(set) var bits = BitPacker()
  private var low: UInt32 = 0
  private var range: UInt32 = 510
  private var isFirst = true
  private var outstanding = 0
  private static let states = ArithmeticTables.states()

  /// Writes a bin with a context variable: `pStateIdx` twice and `valMps`.
  mutating func encode(_ bin: Int, _ context: inout Int) {
    let state = Self.states[context]
    let less = UInt32(state >> (8 * UInt64(range >> 6 & 3)) & 255)
    range -= less
    if bin == Int(state >> 32 & 1) {
      context = Int(state >> 32 & 127)
    } else {
      low += range
      range = less
      context = Int(state >> 40 & 127)
    }
    renormalize()
  }

  mutating func bypass(_ bin: Int) {
    low <<= 1
    if bin != 0 { low += range }
    if low >= 1024 {
      put(1)
      low -= 1024
    } else if low < 512 {
      put(0)
    } else {
      low -= 512
      outstanding += 1
    }
  }

  /// So many bins, the highest bit first.
  mutating func bypass(_ value: Int, count: Int) {
    for bit in (0..<count).reversed() { bypass(value >> bit & 1) }
  }

  /// A bin before termination; after 1 what follows begins at a byte.
  mutating func terminate(_ bin: Int) {
    range -= 2
    guard bin != 0 else { return renormalize() }
    low += range
    range = 2
    renormalize()
    put(Int(low >> 9 & 1))
    bits.put(Int(low >> 7 & 3 | 1), count: 2)
    bits.align()
    (low, range, isFirst, outstanding) = (0, 510, true, 0)
  }

  /// What is not coded arithmetically, between a terminating bin and whatever follows.
  mutating func raw(_ value: Int, count: Int) { bits.put(value, count: count) }

  mutating func alignRaw() { bits.align() }

  private mutating func renormalize() {
    while range < 256 {
      if low < 256 {
        put(0)
      } else if low >= 512 {
        low -= 512
        put(1)
      } else {
        low -= 256
        outstanding += 1
      }
      range <<= 1
      low <<= 1
    }
  }

  private mutating func put(_ bit: Int) {
    if isFirst { isFirst = false } else { bits.put(bit, count: 1) }
    while outstanding > 0 {
      bits.put(1 - bit, count: 1)
      outstanding -= 1
    }
  }
}

/// Bits packed into bytes.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private var used = 0

  mutating func put(_ value: Int, count: Int) {
    for bit in (0..<count).reversed() {
      if used & 7 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - used & 7)
      used += 1
    }
  }

  /// Zeros up to the next byte.
  mutating func align() { used = bytes.count * 8 }
}
