// SPDX-License-Identifier: MIT

/// Thrown where bytes are no frame of AAC, or end inside one.
struct AACMismatch: Error {}

/// Bits of a possible AAC frame, most significant first.
struct AACBits {
  private let bytes: ArraySlice<UInt8>
  /// The number of bits read.
  private(set) var position = 0
  private let count: Int

  /// - Parameter bytes: the frame and what follows it, which are not read beyond the frame.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    count = bytes.count * 8
  }

  /// Reads a number of up to 16 bits.
  mutating func read(_ width: Int) throws(AACMismatch) -> Int {
    guard width <= count - position else { throw AACMismatch() }
    guard width > 0 else { return 0 }
    let first = bytes.startIndex + position >> 3
    var word = 0
    for index in first..<first + 3 {
      word = word << 8 | (index < bytes.endIndex ? Int(bytes[index]) : 0)
    }
    let value = word >> (24 - position & 7 - width) & (1 << width - 1)
    position += width
    return value
  }

  mutating func flag() throws(AACMismatch) -> Bool { try read(1) == 1 }

  mutating func skip(_ width: Int) throws(AACMismatch) {
    guard width <= count - position else { throw AACMismatch() }
    position += width
  }

  /// Skips the rest of a byte that was begun.
  mutating func align() { position = (position + 7) & ~7 }
}
