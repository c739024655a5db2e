// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The samples of one component of a picture, whole coding tree blocks and a margin around them.
///
/// Invariant: a block whose position comes from the coding quadtree of a picture with this layout is inside, and so are
/// 64 samples on every side of it; prediction and filters access nothing else.
@unsafe struct PlaneMemory<Sample: FixedWidthInteger & UnsignedInteger> {
  /// The memory allocated for this plane alone.
  private let memory: UnsafeMutableRawPointer?
  private let bytes: Int
  /// The distance from one row to the next, in samples.
  let stride: Int
  let rows: Int
  /// The sample at column 0 of row 0.
  let origin: UnsafeMutablePointer<Sample>

  private static var margin: Int { 64 }

  /// Creates a plane that owns its memory.
  init(columns: Int, rows: Int) {
    let bytes = unsafe Self.bytes(columns: columns, rows: rows)
    let zeros = unsafe apus_zeros(UInt(bytes))
    unsafe self.init(columns: columns, rows: rows, at: zeros, owning: zeros)
  }

  /// Creates a plane in existing memory: from `place`, as many bytes as `bytes(columns:rows:)` returns, all zeros.
  init(
    columns: Int, rows: Int, at place: UnsafeMutableRawPointer,
    owning memory: UnsafeMutableRawPointer? = nil
  ) {
    unsafe self.rows = rows
    unsafe self.memory = unsafe memory
    unsafe bytes = Self.bytes(columns: columns, rows: rows)
    unsafe stride = columns + 2 * Self.margin
    // Most of the margin is never accessed, and then uses no memory.
    let first = unsafe place.bindMemory(
      to: Sample.self, capacity: bytes / MemoryLayout<Sample>.stride)
    unsafe origin = first + Self.margin * stride + Self.margin
  }

  static func bytes(columns: Int, rows: Int) -> Int {
    unsafe (columns + 2 * margin) * (rows + 2 * margin) * MemoryLayout<Sample>.stride
  }

  func deallocate() {
    if let memory = unsafe memory { unsafe apus_free_zeros(memory, UInt(bytes)) }
  }

  @inline(__always)
  subscript(x: Int, y: Int) -> UnsafeMutablePointer<Sample> { unsafe origin + (y &* stride &+ x) }
}
