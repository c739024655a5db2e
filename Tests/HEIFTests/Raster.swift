// SPDX-License-Identifier: MIT

import ApusMedia
import HEIF

/// A small picture whose samples are all different, to follow where each of them goes.
struct Raster: Equatable {
  var width: Int
  var height: Int
  /// Row by row; `nil` where nothing was painted.
  var samples: [Int?]

  init(_ width: Int, _ height: Int, fill: (Int, Int) -> Int? = { _, _ in nil }) {
    self.width = width
    self.height = height
    samples = (0..<width * height).map { fill($0 % width, $0 / width) }
  }

  subscript(x: Int, y: Int) -> Int? {
    get { samples[y * width + x] }
    set { samples[y * width + x] = newValue }
  }

  /// As `irot` says: so many quarter turns against the clock.
  func turnedAnticlockwise(_ turns: Int) -> Raster {
    (0..<turns).reduce(self) { raster, _ in
      Raster(raster.height, raster.width) { x, y in raster[raster.width - 1 - y, x] }
    }
  }

  func leftAndRightExchanged() -> Raster { Raster(width, height) { self[width - 1 - $0, $1] } }
  func topAndBottomExchanged() -> Raster { Raster(width, height) { self[$0, height - 1 - $1] } }

  func cut(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Raster {
    Raster(width, height) { self[x + $0, y + $1] }
  }

  mutating func paint(_ other: Raster, _ x: Int, _ y: Int) {
    for row in 0..<other.height {
      for column in 0..<other.width
      where (0..<width).contains(x + column) && (0..<height).contains(y + row) {
        if let sample = other[column, row] { self[x + column, y + row] = sample }
      }
    }
  }

  func laid(_ orientation: Orientation) -> Raster {
    let mirrored = orientation.isMirrored ? leftAndRightExchanged() : self
    return mirrored.turnedAnticlockwise((4 - orientation.quarterTurns) % 4)
  }

  /// What a plan makes of sources whose samples are their place, and of several sources their number too.
  init(_ plan: PicturePlan) {
    self.init(plan.width, plan.height)
    for piece in plan.pieces {
      let format = plan.sources[piece.source].format
      let source = Raster(source: piece.source, format.width, format.height)
      let part = source.cut(piece.crop.x, piece.crop.y, piece.crop.width, piece.crop.height)
      paint(part.laid(piece.orientation), piece.place.x, piece.place.y)
    }
  }

  init(source: Int, _ width: Int, _ height: Int) {
    self.init(width, height) { x, y in (source * height + y) * width + x }
  }
}
