// SPDX-License-Identifier: MIT

internal import Media

/// How a picture is cut into coded ones: a single one, or a grid of tiles of the same size.
struct TileLayout: Hashable, Sendable {
  let width: Int
  let height: Int
  let tileWidth: Int
  let tileHeight: Int
  /// Whether tiles are laid on a grid, even if there is but one: then it may be larger than the picture.
  let isGrid: Bool

  /// What Apple's devices write and take, whatever the size of the picture.
  static let side = 512
  /// Sides of tiles are multiples of it: ISO/IEC 23000-22, 7.3.11.4.2.
  private static let unit = 64
  /// Nothing smaller is coded as it is, for x265 would take smaller blocks for it: libx265 3.5 keeps tables for one
  /// size of blocks in a process, and encoders of another one beside it damage each other's pictures.
  private static let smallest = 64
  /// The smallest side in a sequence, whose pictures are coded one after the other and cannot be grids; x265 codes
  /// nothing smaller.
  private static let smallestFrame = 16

  /// A picture whose last column or row is half a colour sample cannot be coded as it is; a grid cuts it off.
  ///
  /// - Parameter isFrame: whether it is a picture of a sequence.
  init(width: Int, height: Int, chroma: Chroma, isSingle: Bool, isFrame: Bool = false) {
    self.width = width
    self.height = height
    let isWhole = isSingle || max(width, height) <= Self.side
    let fits =
      width % (1 << chroma.shiftX) == 0 && height % (1 << chroma.shiftY) == 0
      && min(width, height) >= (isFrame ? Self.smallestFrame : Self.smallest)
    isGrid = !isWhole || !fits
    guard isGrid else {
      (tileWidth, tileHeight) = (width, height)
      return
    }
    let sides = [width, height].map { side in
      let whole = (side + Self.unit - 1) / Self.unit * Self.unit
      return isWhole ? whole : min(whole, Self.side)
    }
    (tileWidth, tileHeight) = (sides[0], sides[1])
  }

  var columns: Int { (width + tileWidth - 1) / tileWidth }
  var rows: Int { (height + tileHeight - 1) / tileHeight }

  /// Rows of the picture that a row of tiles shows: a multiple of 16, as bands are.
  var bandHeight: Int { (tileHeight + 15) / 16 * 16 }
}
