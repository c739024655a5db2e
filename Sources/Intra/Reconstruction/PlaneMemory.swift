// SPDX-License-Identifier: MIT

internal import CPixel

/// The samples of one component of a picture, whole coding tree blocks and a margin around them.
///
/// Invariant: a block whose place comes from the coding quadtree of a picture of this layout lies inside, and so do 64
/// samples on every side of it; that is all that prediction and filters touch.
@unsafe struct PlaneMemory<Sample: FixedWidthInteger & UnsignedInteger> {
  private let memory: UnsafeMutablePointer<Sample>
  /// The distance from one row to the next, in samples.
  let stride: Int
  let rows: Int
  /// The sample at column 0 of row 0.
  let origin: UnsafeMutablePointer<Sample>

  private static var margin: Int { 64 }

  init(columns: Int, rows: Int) {
    unsafe stride = columns + 2 * Self.margin
    unsafe self.rows = rows
    let count = unsafe stride * (rows + 2 * Self.margin)
    // Most of the margin is never touched, and then takes no memory.
    let zeros = unsafe apus_zeros(UInt(count * MemoryLayout<Sample>.stride))
    unsafe memory = zeros.bindMemory(to: Sample.self, capacity: count)
    unsafe origin = memory + Self.margin * stride + Self.margin
  }

  func deallocate() { unsafe apus_free_zeros(memory) }

  @inline(__always)
  subscript(x: Int, y: Int) -> UnsafeMutablePointer<Sample> { unsafe origin + (y &* stride &+ x) }
}
