// SPDX-License-Identifier: MIT

/// Copies of data that is passed to libspng by address, which it may access until it ends.
@safe final class ChunkMemory {
  private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []

  deinit { for index in unsafe blocks.indices { unsafe blocks[index].deallocate() } }

  /// Copies the bytes, with a zero after them.
  @unsafe func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer? {
    let block = unsafe make(bytes.count + 1)
    unsafe block.copyBytes(from: bytes)
    unsafe block[bytes.count] = 0
    return block.baseAddress
  }

  @unsafe func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value>? {
    let block = unsafe make(MemoryLayout<Value>.stride * values.count)
    guard let first = unsafe block.baseAddress?.bindMemory(to: Value.self, capacity: values.count)
    else { return nil }
    for (index, value) in values.enumerated() { unsafe (first + index).initialize(to: value) }
    return unsafe first
  }

  @unsafe func copy<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutablePointer<Value>? {
    let block = unsafe make(MemoryLayout<Value>.size)
    return unsafe block.baseAddress?.initializeMemory(as: Value.self, repeating: value, count: 1)
  }

  private func make(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    unsafe blocks.append(block)
    return unsafe block
  }
}
