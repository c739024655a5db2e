// SPDX-License-Identifier: MIT

/// Numbers in bytes of a given order.
extension FixedWidthInteger {
  /// Creates the number that some bytes make, the most significant first.
  @inlinable package init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }

  /// Creates the number that some bytes make, the least significant first.
  @inlinable package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self.init(bigEndianBytes: bytes.reversed())
  }

  /// Creates the number that `count` bytes from `index` on make, the most significant first.
  @inlinable @inline(__always)
  package init(bigEndianBytes bytes: Span<UInt8>, at index: Int, count: Int) {
    self = 0
    for place in index..<index + count { self = self << 8 | Self(truncatingIfNeeded: bytes[place]) }
  }

  /// All bytes of the number, the most significant first.
  package var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> $0)
    }
  }
}
