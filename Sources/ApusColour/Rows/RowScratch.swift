// SPDX-License-Identifier: MIT

/// Scratch rows, and lines of finished samples before interleaving, all of the same width.
@safe struct RowScratch: ~Copyable {
  private let memory: UnsafeMutablePointer<Float>
  private let finished: UnsafeMutableRawPointer
  /// The distance from one row to the next, in samples.
  let spacing: Int

  /// The margin before the first row and between rows, which kernels may overwrite next to a row that they read.
  private static let margin = 16

  init(width: Int, rows: Int) {
    // Rows at distances of a power of two would share cache lines.
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

  /// Returns four lines, at distances of `spacing` samples.
  @unsafe func lines<D: StoredSample>(of type: D.Type) -> UnsafeMutablePointer<D> {
    unsafe finished.bindMemory(to: type, capacity: spacing * 4)
  }
}
