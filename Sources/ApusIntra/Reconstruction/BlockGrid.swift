// SPDX-License-Identifier: MIT

/// The available blocks and the edges between them.
///
/// Invariant: blocks lie within `columns` × `rows` units of 4 × 4 luma samples, which cover whole coding tree blocks.
@safe final class BlockGrid {
  private(set) var columns = 0
  private(set) var rows = 0
  /// The run of the block at each 4 × 4 luma samples; 0 for none yet, and in a margin around the picture, so that a
  /// block's neighbours are never outside. The margin is `margin` units wide.
  private(set) var runs: UnsafeMutablePointer<UInt16>
  private var memory = UnsafeMutablePointer<UInt16>.allocate(capacity: 1)
  /// The distance from one row of `runs` to the next: the margin on the right is that on the left of the next row.
  private(set) var stride = 0
  private static let margin = 16
  /// Whether a transform block begins at the left side (bit 0) and at the upper side (bit 1) of each 8 × 8 luma
  /// samples. Smaller blocks never begin at only a part of a side.
  private(set) var edges = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

  init() { unsafe runs = memory }

  deinit { release() }

  private func release() {
    unsafe memory.deallocate()
    unsafe edges.deallocate()
  }

  /// Allocates memory for a picture, and clears the previous contents.
  func begin(columns: Int, rows: Int) {
    let count = columns * rows
    if (columns, rows) != (self.columns, self.rows) {
      release()
      (self.columns, self.rows, stride) = (columns, rows, columns + Self.margin)
      unsafe memory = .allocate(capacity: stride * (rows + 2 + Self.margin))
      unsafe runs = memory + 2 * stride
      unsafe edges = .allocate(capacity: count / 4)
    }
    unsafe memory.initialize(repeating: 0, count: stride * (rows + 2 + Self.margin))
    unsafe edges.initialize(repeating: 0, count: count / 4)
  }
}
