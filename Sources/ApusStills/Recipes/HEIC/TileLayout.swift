// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The division of a picture into coded pictures: a single one, or a grid of tiles of equal size.
struct TileLayout: Hashable, Sendable {
  let width: Int
  let height: Int
  let tileWidth: Int
  let tileHeight: Int
  /// Whether tiles form a grid, even if there is only one, which may then be larger than the picture.
  let isGrid: Bool

  /// The side of tiles on Apple's devices, regardless of the picture's size.
  static let side = 512
  /// The unit of tile sizes: ISO/IEC 23000-22, 7.3.11.4.2.
  private static let unit = 64
  /// The smallest side that is coded without a grid, because x265 would use smaller blocks below it: libx265 3.5 keeps
  /// tables for one block size per process, and simultaneous encoders with another size damage each other's pictures.
  private static let smallest = 64
  /// The smallest side in a sequence, whose pictures are coded one after the other and cannot be grids; x265 does not
  /// code smaller pictures.
  private static let smallestFrame = 16

  /// Determines the layout. A picture whose last column or row is half a colour sample cannot be coded directly; a grid
  /// crops it.
  ///
  /// - Parameters:
  ///   - isFrame: whether the picture is part of a sequence.
  ///   - side: the side of tiles, a multiple of 64.
  init(
    width: Int, height: Int, chroma: Chroma, isSingle: Bool, isFrame: Bool = false,
    side: Int = TileLayout.side
  ) {
    self.width = width
    self.height = height
    let isWhole = isSingle || max(width, height) <= side
    let fits =
      width % (1 << chroma.shiftX) == 0 && height % (1 << chroma.shiftY) == 0
      && min(width, height) >= (isFrame ? Self.smallestFrame : Self.smallest)
    isGrid = !isWhole || !fits
    guard isGrid else {
      (tileWidth, tileHeight) = (width, height)
      return
    }
    let sides = [width, height].map { length in
      let whole = (length + Self.unit - 1) / Self.unit * Self.unit
      return isWhole ? whole : min(whole, side)
    }
    (tileWidth, tileHeight) = (sides[0], sides[1])
  }

  var columns: Int { (width + tileWidth - 1) / tileWidth }
  var rows: Int { (height + tileHeight - 1) / tileHeight }

  /// The number of picture rows in a row of tiles: a multiple of 16, as for bands.
  var bandHeight: Int { (tileHeight + 15) / 16 * 16 }
}
