// SPDX-License-Identifier: MIT

import ApusMedia
import HEIF
import Testing

@testable import ApusStills

@Suite struct CanvasLayoutTests {
  struct Row: CustomTestStringConvertible {
    var tile: Int
    var rows = 3
    /// Where the first row of tiles begins.
    var top = 0
    var band: Int
    var window: Int
    var testDescription: String { "\(rows) rows of \(tile), from \(top)" }
  }

  @Test(
    arguments: [
      Row(tile: 512, band: 128, window: 8), Row(tile: 1024, band: 128, window: 16),
      Row(tile: 256, band: 128, window: 4), Row(tile: 480, band: 96, window: 10),
      Row(tile: 80, band: 80, window: 2), Row(tile: 64, band: 64, window: 2),
      // No part of these is a band, so they are one.
      Row(tile: 208, band: 208, window: 2), Row(tile: 16, band: 16, window: 2),
      // No whole units, too large, alone or in another place: bands are small and tiles begin within them.
      Row(tile: 100, rows: 5, band: 64, window: 6), Row(tile: 2048, band: 64, window: 64),
      Row(tile: 512, rows: 1, band: 64, window: 8), Row(tile: 512, top: 32, band: 64, window: 18),
    ])
  func `tiles are cut into whole bands, two rows of them are in the window`(_ row: Row) {
    let (columns, side) = (2, row.tile)
    var plan = PicturePlan(width: columns * 96, height: row.top + row.rows * side)
    let format = PictureFormat(width: 96, height: side, chroma: .yuv420, bitDepth: 8)
    plan.sources = [
      PlannedSource(name: "it", codec: .hevc, configuration: [], samples: [], format: format)
    ]
    for index in 0..<row.rows * columns {
      plan.pieces.append(
        PlannedPiece(
          source: 0, crop: PixelRect(width: 96, height: side), orientation: .upright,
          place: PixelRect(
            x: index % columns * 96, y: row.top + index / columns * side, width: 96, height: side)))
    }
    let layout = CanvasLayout(plan)
    #expect(layout.bandHeight == row.band)
    #expect(layout.window == row.window)
    #expect(layout.rows(ofBand: layout.bandCount - 1).upperBound == plan.height)
  }
}
