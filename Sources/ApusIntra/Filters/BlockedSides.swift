// SPDX-License-Identifier: MIT

/// The neighbours of a coding tree block across which samples are not compared, because of slices or tiles.
struct BlockedSides {
  /// The neighbours: bit (row + 1) × 3 + column + 1.
  private var bits: UInt16 = 0

  var isEmpty: Bool { bits == 0 }

  init(_ parameters: CodingParameters, _ maps: PictureMaps, _ block: Int) {
    if maps.slices.count == 1, parameters.filtersAcrossTiles { return }
    let layout = parameters.layout
    let (row, column) = block.quotientAndRemainder(dividingBy: layout.columns)
    for stepY in -1...1 {
      for stepX in -1...1 where stepX != 0 || stepY != 0 {
        let (x, y) = (column + stepX, row + stepY)
        guard (0..<layout.columns).contains(x), (0..<layout.rows).contains(y) else { continue }
        let other = y * layout.columns + x
        if Self.isBlocked(parameters, maps, block, other) {
          bits |= 1 << UInt16((stepY + 1) * 3 + stepX + 1)
        }
      }
    }
  }

  /// Returns whether samples are not compared across two blocks. For two slices, the flag of the later one counts.
  private static func isBlocked(
    _ parameters: CodingParameters, _ maps: PictureMaps, _ block: Int, _ other: Int
  ) -> Bool {
    let layout = parameters.layout
    if !parameters.filtersAcrossTiles, layout.tiles[block] != layout.tiles[other] { return true }
    let (mine, others) = (Int(maps.ctbSlices[block]), Int(maps.ctbSlices[other]))
    guard mine != others else { return false }
    return !maps.slices[max(mine, others)].filtersAcross
  }

  /// Returns whether one of the two neighbours of a sample is on the far side of a blocked edge.
  func stops(
    _ x: Int, isFirst: Bool, isLast: Bool, _ width: Int, _ stepX: Int, _ stepY: Int
  ) -> Bool {
    for direction in [1, -1] {
      let (dx, dy) = (stepX * direction, stepY * direction)
      let column = x + dx < 0 ? -1 : x + dx >= width ? 1 : 0
      let row = dy < 0 && isFirst ? -1 : dy > 0 && isLast ? 1 : 0
      if column == 0, row == 0 { continue }
      if bits >> UInt16((row + 1) * 3 + column + 1) & 1 != 0 { return true }
    }
    return false
  }
}
