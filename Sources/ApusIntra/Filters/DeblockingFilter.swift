// SPDX-License-Identifier: MIT

/// Decides where to deblock, and how strongly: ITU-T H.265, 8.7.2. Intra blocks all have the boundary strength 2.
@unsafe struct DeblockingFilter<Sample: FixedWidthInteger & UnsignedInteger> {
  private let parameters: CodingParameters
  private let maps: PictureMaps
  private let thresholds: DeblockingThresholds
  private let pass: DeblockingPass<Sample>

  init(
    _ parameters: CodingParameters, _ maps: PictureMaps, _ planes: [PlaneMemory<Sample>],
    _ grid: BlockGrid
  ) {
    unsafe self.parameters = parameters
    unsafe self.maps = maps
    unsafe thresholds = unsafe DeblockingThresholds(bitDepth: parameters.bitDepth)
    unsafe pass = unsafe DeblockingPass(
      parameters, planes, grid, thresholds, stride: maps.stride)
  }

  func deallocate() { unsafe thresholds.deallocate() }

  /// Filters all vertical edges of the picture, then all horizontal ones.
  func run() {
    let rows = unsafe parameters.layout.rows
    for row in 0..<rows { unsafe vertical(row) }
    for row in 0..<rows { unsafe horizontal(row) }
  }

  /// Filters the vertical edges in a row of coding tree blocks.
  func vertical(_ row: Int) { unsafe filter(row, isVertical: true) }

  /// Filters the horizontal edges in a row of coding tree blocks, including its upper side; vertical edges must be
  /// filtered before, in this row and in the one above.
  func horizontal(_ row: Int) { unsafe filter(row, isVertical: false) }

  @inline(__always)
  private func filter(_ row: Int, isVertical: Bool) {
    unsafe maps.qps.withUnsafeBufferPointer { qps in
      unsafe maps.unfiltered.withUnsafeBufferPointer { unfiltered in
        guard let qps = qps.baseAddress, let unfiltered = unfiltered.baseAddress
        else { return }
        unsafe filter(
          row, isVertical: isVertical, qps, maps.hasUnfiltered ? unfiltered : nil)
      }
    }
  }

  @inline(__always)
  private func filter(
    _ row: Int, isVertical: Bool, _ qps: UnsafePointer<Int8>,
    _ unfiltered: UnsafePointer<UInt8>?
  ) {
    let layout = unsafe parameters.layout
    for column in 0..<layout.columns {
      let block = row * layout.columns + column
      let settings = unsafe maps.slices[Int(maps.ctbSlices[block])]
      guard !settings.isDeblockingDisabled else { continue }
      let isAtSide = isVertical ? column == 0 : row == 0
      let other = isVertical ? block - 1 : block - layout.columns
      let area = unsafe DeblockingArea(
        column: column, row: row, settings: settings,
        isEdgeFiltered: !isAtSide && isFiltered(block, other, settings), qps: qps,
        unfiltered: unfiltered)
      if isVertical { unsafe pass.vertical(area) } else { unsafe pass.horizontal(area) }
    }
  }

  /// Returns whether the edge between two coding tree blocks is filtered, the second of which was decoded earlier:
  /// 8.7.2.3.
  private func isFiltered(_ block: Int, _ other: Int, _ settings: SliceFilterSettings) -> Bool {
    if !settings.filtersAcross, unsafe maps.ctbSlices[other] != maps.ctbSlices[block] {
      return false
    }
    return unsafe parameters.filtersAcrossTiles
      || parameters.layout.tiles[other] == parameters.layout.tiles[block]
  }
}

/// A coding tree block whose edges are filtered.
@unsafe struct DeblockingArea {
  var column: Int
  var row: Int
  var settings: SliceFilterSettings
  /// Whether its left or upper side is filtered.
  var isEdgeFiltered: Bool
  /// The `QpY`, and whether samples are kept, for each 8 × 8 luma samples.
  var qps: UnsafePointer<Int8>
  var unfiltered: UnsafePointer<UInt8>?
}

/// The values of β and tC by Q: ITU-T H.265, Table 8-12, for one bit depth.
@unsafe struct DeblockingThresholds {
  let beta: UnsafeMutablePointer<Int16>
  let tc: UnsafeMutablePointer<Int16>

  init(bitDepth: Int) {
    unsafe beta = .allocate(capacity: 128)
    unsafe tc = beta + 64
    let values: [Int16] = [
      1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13,
      14, 16, 18, 20, 22, 24,
    ]
    let depth = Int16(bitDepth - 8)
    for q in 0..<64 {
      let least = Int16(min(q, 51))
      unsafe (beta + q).initialize(
        to: (q < 16 ? 0 : q <= 28 ? least - 10 : 2 * least - 38) << depth)
      unsafe (tc + q).initialize(to: (q < 18 ? 0 : values[min(q, 53) - 18]) << depth)
    }
  }

  func deallocate() { unsafe beta.deallocate() }

  @inline(__always)
  func beta(_ q: Int) -> Int16 { unsafe beta[max(0, min(51, q))] }

  @inline(__always)
  func tc(_ q: Int) -> Int16 { unsafe tc[max(0, min(53, q))] }
}
