// SPDX-License-Identifier: MIT

/// A 128-bit hash of contents (SipHash-2-4 with a key of zeros). It finds equal contents, many times as fast as a
/// cryptographic digest; it provides no protection.
public struct ContentTag: Sendable {
  private var v0: UInt64 = 0x736f_6d65_7073_6575
  private var v1: UInt64 = 0x646f_7261_6e64_6f6d ^ 0xee
  private var v2: UInt64 = 0x6c79_6765_6e65_7261
  private var v3: UInt64 = 0x7465_6462_7974_6573
  /// The bytes that do not form a word yet, the first one lowest.
  private var rest: UInt64 = 0
  private var count = 0

  public init() {}

  /// Adds bytes to the hash; the result does not depend on how contents are divided between calls.
  public mutating func add(_ bytes: [UInt8]) {
    var place = 0
    while place < bytes.count, count & 7 != 0 {
      add(bytes[place])
      place += 1
    }
    let words = (bytes.count - place) / 8
    let span = unsafe bytes.span.bytes
    for word in 0..<words {
      // In bounds: the words lie within the bytes.
      let value = unsafe span.unsafeLoadUnaligned(
        fromByteOffset: place + word * 8, as: UInt64.self)
      mix(UInt64(littleEndian: value))
    }
    count += words * 8
    for byte in bytes[(place + words * 8)...] { add(byte) }
  }

  private mutating func add(_ byte: UInt8) {
    rest |= UInt64(byte) << UInt64(count & 7 * 8)
    count += 1
    guard count & 7 == 0 else { return }
    mix(rest)
    rest = 0
  }

  /// The hash of all bytes added so far, as 32 digits.
  public var digits: String {
    var end = self
    end.mix(end.rest | UInt64(truncatingIfNeeded: count) << 56)
    end.v2 ^= 0xee
    for _ in 0..<4 { end.round() }
    let first = end.v0 ^ end.v1 ^ end.v2 ^ end.v3
    end.v1 ^= 0xdd
    for _ in 0..<4 { end.round() }
    let second = end.v0 ^ end.v1 ^ end.v2 ^ end.v3
    return [first, second].map { $0.byteSwapped.hexadecimal(width: 16) }.joined()
  }

  private mutating func mix(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}
