// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The layout of an item: pieces of coded pictures on its canvas.
struct ItemLayout {
  var width: Int
  var height: Int
  var pieces: [PlannedPiece] = []
  /// The canvas colour of an overlay, if visible.
  var fill: [UInt16]?
  /// The combined transformations of the picture, including those of a picture that it is the identity of.
  var orientation = Orientation.upright
  var isPlaced = false
  /// The number of derivations between this and the coded pictures.
  var derivations = 0
  /// The canvas before cropping; `nil` if nothing was cropped.
  private(set) var uncut: UncutCanvas?

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var bounds: PixelRect { PixelRect(width: width, height: height) }

  /// The sum of the areas of all pieces.
  var paintedArea: Int { pieces.reduce(0) { $0 + $1.place.width * $1.place.height } }

  /// Crops the canvas to a rectangle within it.
  mutating func crop(to rect: PixelRect) {
    if rect != bounds {
      uncut = (uncut ?? UncutCanvas(width: width, height: height, pieces: pieces, part: bounds))
        .cut(to: rect)
    }
    pieces = pieces.compactMap {
      $0.moved(x: -rect.x, y: -rect.y, inWidth: rect.width, height: rect.height)
    }
    (width, height) = (rect.width, rect.height)
  }

  mutating func lay(_ next: Orientation) {
    pieces = pieces.map { $0.laid(next, inWidth: width, height: height) }
    uncut = uncut?.laid(next)
    if next.swapsSides { swap(&width, &height) }
    orientation = orientation.then(next)
  }

  /// Paints the pieces of another canvas onto this one; parts outside are cut off.
  mutating func paint(_ other: ItemLayout, x: Int, y: Int) {
    for piece in other.pieces {
      if let moved = piece.moved(x: x, y: y, inWidth: width, height: height) {
        pieces.append(moved)
      }
    }
  }

  /// Whether one piece covers the whole canvas.
  var isCovered: Bool { pieces.contains { $0.alphaSource == nil && $0.place == bounds } }
}

extension PlannedPiece {
  /// Returns the piece after rotating the surrounding canvas, which has this size.
  func laid(_ next: Orientation, inWidth width: Int, height: Int) -> PlannedPiece {
    var piece = self
    piece.place = place.laid(next, inWidth: width, height: height)
    piece.orientation = orientation.then(next)
    return piece
  }

  /// Returns the piece after a move, cropped to a canvas of this size; `nil` if nothing of it is left.
  func moved(x: Int, y: Int, inWidth width: Int, height: Int) -> PlannedPiece? {
    var whole = place
    whole.x += x
    whole.y += y
    let visible = whole.intersection(PixelRect(width: width, height: height))
    guard !visible.isEmpty else { return nil }
    var piece = self
    piece.place = visible
    guard visible != whole else { return piece }
    let part = PixelRect(
      x: visible.x - whole.x, y: visible.y - whole.y, width: visible.width, height: visible.height)
    let stored = part.laid(orientation.inverse, inWidth: whole.width, height: whole.height)
    piece.crop = PixelRect(
      x: crop.x + stored.x, y: crop.y + stored.y, width: stored.width, height: stored.height)
    return piece
  }
}
