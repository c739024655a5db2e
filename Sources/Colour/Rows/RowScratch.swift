// SPDX-License-Identifier: MIT

/// Rows to work in, and lines of finished samples before they are laid side by side; all of one width.
@safe struct RowScratch: ~Copyable {
  private let memory: UnsafeMutablePointer<Float>
  private let finished: UnsafeMutableRawPointer
  /// The distance from one row to the next, in samples.
  let spacing: Int

  /// Numbers before the first row and between rows, which kernels may write beside a row that they read.
  private static let margin = 16

  init(width: Int, rows: Int) {
    // Not a power of two apart, so that rows do not share cache lines.
    spacing = (width + 15) & ~15 + 2 * Self.margin
    unsafe memory = .allocate(capacity: Self.margin + spacing * rows)
    unsafe memory.initialize(repeating: 0, count: Self.margin + spacing * rows)
    unsafe finished = .allocate(byteCount: spacing * 4 * 2, alignment: 16)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe finished.deallocate()
  }

  @unsafe func row(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + Self.margin + index * spacing
  }

  /// Four lines, `spacing` samples apart.
  @unsafe func lines<D: StoredSample>(of type: D.Type) -> UnsafeMutablePointer<D> {
    unsafe finished.bindMemory(to: type, capacity: spacing * 4)
  }
}
