// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The planes of a picture during decoding, kept from picture to picture as long as their size does not change.
///
/// Samples are accessed by address only in this folder and in `Filters`; all positions come from the coding tree, whose
/// blocks lie within the picture, and the picture's size was checked when the parameters were made.
@safe final class PictureMemory<Sample: FixedWidthInteger & UnsignedInteger> {
  /// The planes before the filters, then deblocked.
  private(set) var planes: [PlaneMemory<Sample>] = unsafe []
  /// The planes with sample adaptive offsets; empty until a picture has any.
  private(set) var filtered: [PlaneMemory<Sample>] = unsafe []
  /// The size in luma samples of the whole coding tree blocks that cover the picture, across and down.
  private(set) var columns = 0
  private(set) var rows = 0
  private(set) var chroma = -1

  /// The memory of large planes: all planes of a picture together, so that large pages are filled.
  private var blocks: [(memory: UnsafeMutableRawPointer, bytes: Int)] = unsafe []

  deinit { release() }

  private func release() {
    for index in unsafe planes.indices { unsafe planes[index].deallocate() }
    for index in unsafe filtered.indices { unsafe filtered[index].deallocate() }
    for index in unsafe blocks.indices {
      unsafe apus_free_zeros(blocks[index].memory, UInt(blocks[index].bytes))
    }
    unsafe blocks = []
    unsafe (planes, filtered) = ([], [])
  }

  /// Allocates the planes; their contents are kept if the size is unchanged.
  func begin(_ parameters: CodingParameters) {
    let columns = parameters.layout.columns << parameters.ctbLog2
    let rows = parameters.layout.rows << parameters.ctbLog2
    guard (columns, rows, parameters.chroma) != (self.columns, self.rows, chroma) else { return }
    release()
    (self.columns, self.rows, chroma) = (columns, rows, parameters.chroma)
    unsafe planes = unsafe make(parameters)
  }

  func beginOffsets(_ parameters: CodingParameters) {
    if unsafe filtered.isEmpty {
      unsafe filtered = unsafe make(parameters)
    }
  }

  @unsafe private func make(_ parameters: CodingParameters) -> [PlaneMemory<Sample>] {
    let chroma = (
      columns: columns >> parameters.chromaShiftX, rows: rows >> parameters.chromaShiftY
    )
    let sides =
      [(columns: columns, rows: rows)]
      + Array(repeating: chroma, count: parameters.chroma > 0 ? 2 : 0)
    let sizes = sides.map {
      unsafe PlaneMemory<Sample>.bytes(columns: $0.columns, rows: $0.rows)
    }
    let bytes = sizes.reduce(0, +)
    // Small planes are separate, so that sanitizers detect accesses beyond one of them.
    guard bytes > 1 << 20 else {
      return unsafe sides.map { unsafe PlaneMemory(columns: $0.columns, rows: $0.rows) }
    }
    var place = unsafe apus_zeros(UInt(bytes))
    unsafe blocks.append((place, bytes))
    var planes: [PlaneMemory<Sample>] = unsafe []
    for (side, size) in zip(sides, sizes) {
      unsafe planes.append(PlaneMemory(columns: side.columns, rows: side.rows, at: place))
      unsafe place += size
    }
    return unsafe planes
  }
}
