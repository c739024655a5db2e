// SPDX-License-Identifier: MIT

/// The planes of a picture that is being decoded, kept from picture to picture while their size stays.
///
/// Who touches samples by address does so in this folder and in `Filters`; all places come from the coding tree, whose
/// blocks lie within the picture, and the picture's size was checked when the parameters were made.
@safe final class PictureMemory<Sample: FixedWidthInteger & UnsignedInteger> {
  /// The planes before the filters, then deblocked.
  private(set) var planes: [PlaneMemory<Sample>] = unsafe []
  /// The planes with sample adaptive offsets; empty as long as no picture had any.
  private(set) var filtered: [PlaneMemory<Sample>] = unsafe []
  /// The luma samples of whole coding tree blocks that cover the picture, across and down.
  private(set) var columns = 0
  private(set) var rows = 0
  private(set) var chroma = -1

  deinit { release() }

  private func release() {
    for index in unsafe planes.indices { unsafe planes[index].deallocate() }
    for index in unsafe filtered.indices { unsafe filtered[index].deallocate() }
    unsafe (planes, filtered) = ([], [])
  }

  /// Makes room; what was in there before stays where the size is the same.
  func begin(_ parameters: CodingParameters) {
    let columns = parameters.layout.columns << parameters.ctbLog2
    let rows = parameters.layout.rows << parameters.ctbLog2
    guard (columns, rows, parameters.chroma) != (self.columns, self.rows, chroma) else { return }
    release()
    (self.columns, self.rows, chroma) = (columns, rows, parameters.chroma)
    unsafe planes = unsafe Self.make(parameters, columns, rows)
  }

  func beginOffsets(_ parameters: CodingParameters) {
    if unsafe filtered.isEmpty {
      unsafe filtered = unsafe Self.make(parameters, columns, rows)
    }
  }

  @unsafe private static func make(_ parameters: CodingParameters, _ columns: Int, _ rows: Int)
    -> [PlaneMemory<Sample>]
  {
    var planes = unsafe [PlaneMemory<Sample>(columns: columns, rows: rows)]
    if parameters.chroma > 0 {
      for _ in 0..<2 {
        unsafe planes.append(
          PlaneMemory<Sample>(
            columns: columns >> parameters.chromaShiftX, rows: rows >> parameters.chromaShiftY))
      }
    }
    return unsafe planes
  }
}
