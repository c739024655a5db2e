// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusStills

@Suite struct TileLayoutTests {
  struct Row: CustomTestStringConvertible {
    var size: (Int, Int)
    var chroma = Chroma.yuv420
    var isSingle = false
    var isFrame = false
    /// Sides of a tile, columns and rows; a picture that is no grid has none.
    var tile: (Int, Int)
    var grid: (Int, Int)?
    var testDescription: String { "\(size) \(chroma.name) \(isSingle ? "single" : "")" }
  }

  /// Tiles of a grid are multiples of 64 (ISO/IEC 23000-22, 7.3.11.4.2); colour samples of a single picture are whole.
  static let rows = [
    Row(size: (1, 1), tile: (64, 64), grid: (1, 1)),
    Row(size: (1, 300), tile: (64, 320), grid: (1, 1)),
    Row(size: (64, 64), tile: (64, 64)),
    Row(size: (62, 64), tile: (64, 64), grid: (1, 1)),
    Row(size: (320, 40), tile: (320, 64), grid: (1, 1)),
    Row(size: (320, 40), isFrame: true, tile: (320, 40)),
    Row(size: (14, 16), isFrame: true, tile: (64, 64), grid: (1, 1)),
    Row(size: (511, 511), tile: (512, 512), grid: (1, 1)),
    Row(size: (511, 511), chroma: .yuv444, tile: (511, 511)),
    Row(size: (511, 512), chroma: .yuv422, tile: (512, 512), grid: (1, 1)),
    Row(size: (512, 511), chroma: .yuv422, tile: (512, 511)),
    Row(size: (511, 511), chroma: .monochrome, tile: (511, 511)),
    Row(size: (512, 512), tile: (512, 512)),
    Row(size: (513, 512), tile: (512, 512), grid: (2, 1)),
    Row(size: (513, 513), tile: (512, 512), grid: (2, 2)),
    Row(size: (100, 2000), tile: (128, 512), grid: (1, 4)),
    Row(size: (4032, 3024), tile: (512, 512), grid: (8, 6)),
    Row(size: (4032, 3024), isSingle: true, tile: (4032, 3024)),
    Row(size: (4031, 3023), isSingle: true, tile: (4032, 3072), grid: (1, 1)),
  ]

  @Test(arguments: rows)
  func `it cuts a picture`(_ row: Row) {
    let layout = TileLayout(
      width: row.size.0, height: row.size.1, chroma: row.chroma, isSingle: row.isSingle,
      isFrame: row.isFrame)
    #expect((layout.tileWidth, layout.tileHeight) == row.tile)
    #expect(layout.isGrid == (row.grid != nil))
    #expect((layout.columns, layout.rows) == row.grid ?? (1, 1))
    #expect(layout.bandHeight % 16 == 0 && layout.bandHeight >= layout.tileHeight)
  }
}
