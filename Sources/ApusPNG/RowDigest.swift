// SPDX-License-Identifier: MIT

/// A digest of the bytes of rows in order: FNV-1a over words of 64 bits, each mixed into the next so that all of its
/// bits count. It detects errors, but not forgery.
struct RowDigest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ row: UnsafeRawBufferPointer) {
    var sum = value
    var place = 0
    while place + 8 <= row.count {
      let word = unsafe row.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      sum = Self.mixed(sum ^ word)
      place += 8
    }
    while place < row.count {
      sum = unsafe Self.mixed(sum ^ UInt64(row[place]))
      place += 1
    }
    value = sum
  }

  private static func mixed(_ sum: UInt64) -> UInt64 {
    let product = sum &* 0x0000_0100_0000_01b3
    return product ^ (product >> 29)
  }
}
