// SPDX-License-Identifier: MIT

/// A coding tree block of 64 × 64 while it is decided: its source, and what was decided.
@unsafe struct CTBStore {
  /// Luma in rows of 64, as it is and transposed.
  let luma: UnsafeMutablePointer<UInt16>
  let turned: UnsafeMutablePointer<UInt16>
  /// Cb and Cr in rows of 32, one after the other.
  let chroma: UnsafeMutablePointer<UInt16>
  /// The levels of the transform blocks in the order of coding, as many as a block has samples: luma, Cb, Cr.
  let levels: UnsafeMutablePointer<Int16>
  /// The place of the last level of the luma block that begins at each 4 × 4 samples, in rows of 16, -1 without any; 16
  /// more where a block of 4 × 4 goes without a transform.
  let lastLuma: UnsafeMutablePointer<Int16>
  /// The same for each 8 × 8 luma samples, in rows of 8: of Cb, and 64 entries further those of Cr.
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

  /// The place of a block of 4 × 4 in the order of coding, by its column and row.
  @inline(__always)
  static func order(_ column: Int, _ row: Int) -> Int {
    let spread: InlineArray<16, UInt8> = [
      0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85,
    ]
    return Int(spread[column]) | Int(spread[row]) &<< 1
  }

  /// Levels of the luma block at a place in the coding tree block.
  @inline(__always)
  func lumaLevels(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
    unsafe levels + Self.order(x &>> 2, y &>> 2) &* 16
  }

  /// Levels of the Cb or Cr block of luma samples at a place in the coding tree block.
  @inline(__always)
  func chromaLevels(_ component: Int, _ x: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
    unsafe levels + (3072 &+ component &* 1024) + Self.order(x &>> 2, y &>> 2) &* 4
  }
}
