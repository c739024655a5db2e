// SPDX-License-Identifier: MIT

/// A coding tree block of 64 × 64 during encoding: its source samples and the decisions about it.
@unsafe struct CTBStore {
  /// The luma samples in rows of 64, and the same transposed.
  let luma: UnsafeMutablePointer<UInt16>
  let turned: UnsafeMutablePointer<UInt16>
  /// The samples of Cb and Cr in rows of 32, one component after the other.
  let chroma: UnsafeMutablePointer<UInt16>
  /// The levels of the transform blocks in coding order, as many as a block has samples: luma, Cb, Cr.
  let levels: UnsafeMutablePointer<Int16>
  /// The position of the last level of the luma block that begins at each 4 × 4 samples, in rows of 16, -1 if there is
  /// none; plus 16 for a block of 4 × 4 without a transform.
  let lastLuma: UnsafeMutablePointer<Int16>
  /// The position of the last level of Cb for each 8 × 8 luma samples, in rows of 8, followed 64 entries later by that
  /// of Cr.
  let lastChroma: UnsafeMutablePointer<Int16>
  private let memory: UnsafeMutablePointer<UInt16>

  init() {
    let count = 2 * 4096 + 2048 + 6144 + 256 + 128
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe luma = memory
    unsafe turned = luma + 4096
    unsafe chroma = turned + 4096
    unsafe levels = UnsafeMutableRawPointer(chroma + 2048).assumingMemoryBound(to: Int16.self)
    unsafe lastLuma = levels + 6144
    unsafe lastChroma = lastLuma + 256
  }

  func deallocate() { unsafe memory.deallocate() }

  /// Returns the position of a block of 4 × 4 in coding order, by its column and row.
  @inline(__always)
  static func order(_ column: Int, _ row: Int) -> Int {
    let spread: InlineArray<16, UInt8> = [
      0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85,
    ]
    return Int(spread[column]) | Int(spread[row]) &<< 1
  }

  /// Returns the levels of the luma block at a position in the coding tree block.
  @inline(__always)
  func lumaLevels(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
    unsafe levels + Self.order(x &>> 2, y &>> 2) &* 16
  }

  /// Returns the levels of the Cb or Cr block at a luma position in the coding tree block.
  @inline(__always)
  func chromaLevels(_ component: Int, _ x: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
    unsafe levels + (3072 &+ component &* 1024) + Self.order(x &>> 2, y &>> 2) &* 4
  }
}
