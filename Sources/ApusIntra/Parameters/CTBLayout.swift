// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEVC

/// The layout of coding tree blocks in a picture and their coding order: ITU-T H.265, 6.5.1.
struct CTBLayout: Sendable {
  /// The size of the picture in coding tree blocks.
  let columns: Int
  let rows: Int
  /// The table `CtbAddrTsToRs`: raster addresses by position in coding order.
  let rasterAddresses: [Int]
  /// The table `CtbAddrRsToTs`.
  let codingOrder: [Int]
  /// The table `TileId`, by raster address.
  let tiles: [Int]
  /// The first column of the tile that contains a column.
  let tileStarts: [Int]

  var count: Int { columns * rows }
  /// Whether blocks are coded row by row, because there is only one tile.
  var isRaster: Bool { tiles.last == 0 }

  init(width: Int, height: Int, log2: Int, _ pps: PictureParameterSet) throws(MediaError) {
    let size = 1 << log2
    let columns = (width + size - 1) >> log2
    let rows = (height + size - 1) >> log2
    (self.columns, self.rows) = (columns, rows)
    let grid = pps.tiles
    let isTiled = pps.tilesEnabledFlag
    let widths = try Self.sizes(
      columns, count: isTiled ? Int(grid.numTileColumnsMinus1) + 1 : 1,
      explicit: grid.uniformSpacingFlag ? nil : grid.columnWidthMinus1)
    let heights = try Self.sizes(
      rows, count: isTiled ? Int(grid.numTileRowsMinus1) + 1 : 1,
      explicit: grid.uniformSpacingFlag ? nil : grid.rowHeightMinus1)

    guard widths.count * heights.count < 0x8000 else {
      throw MediaError(.limit, "has \(widths.count) × \(heights.count) tiles")
    }
    var raster: [Int] = []
    raster.reserveCapacity(columns * rows)
    var tiles = [Int](repeating: 0, count: columns * rows)
    var tile = 0
    var top = 0
    for height in heights {
      var left = 0
      for width in widths {
        for row in top..<top + height {
          for column in left..<left + width {
            tiles[row * columns + column] = tile
            raster.append(row * columns + column)
          }
        }
        left += width
        tile += 1
      }
      top += height
    }
    var order = [Int](repeating: 0, count: raster.count)
    for (coded, address) in raster.enumerated() { order[address] = coded }
    (rasterAddresses, codingOrder, self.tiles) = (raster, order, tiles)
    tileStarts = widths.reduce(into: []) { starts, width in
      starts += [Int](repeating: starts.count, count: width)
    }
  }

  /// Returns the columns or rows of tiles.
  private static func sizes(_ total: Int, count: Int, explicit: [UInt16]?)
    throws(MediaError) -> [Int]
  {
    guard count <= total else {
      throw MediaError(.corrupt, "has \(count) rows or columns of tiles for \(total) of blocks")
    }
    guard count > 1, let explicit else {
      return (0..<count).map { (($0 + 1) * total) / count - ($0 * total) / count }
    }
    let sizes = explicit.map { Int($0) + 1 }
    let rest = total - sizes.reduce(0, +)
    guard sizes.count == count - 1, rest > 0 else {
      throw MediaError(.corrupt, "has tiles that are larger than the picture")
    }
    return sizes + [rest]
  }
}
