// SPDX-License-Identifier: MIT

/// Copies of what libspng is given by address, until it has written them.
@safe final class ChunkMemory {
  private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []

  deinit { for unsafeblock in unsafe blocks { unsafe block.deallocate() } }

  /// The bytes, with a zero behind them.
  @unsafe func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer? {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 8)
    unsafe block.copyBytes(from: bytes)
    unsafe block[bytes.count] = 0
    unsafe blocks.append(block)
    return block.baseAddress
  }
}
